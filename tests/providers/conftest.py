"""What makes a run's beginning slow and has no part in what these tests are about."""

from __future__ import annotations

from contextlib import nullcontext

import pytest


@pytest.fixture(autouse=True)
def _begin_at_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    # Each run reads the machine's certificates anew, and looks through all memory for garbage.
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path_factory.getbasetemp()))
    monkeypatch.setattr("hospital.experiment.rare_collections", nullcontext)
