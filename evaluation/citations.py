"""What a paper about a run has to cite, as BibTeX."""

from __future__ import annotations

from collections.abc import Iterable

_ENTRIES = {
    "aihospital": """\
@inproceedings{aihospital,
  title = {{AI} Hospital: Benchmarking Large Language Models in a Multi-agent Medical Interaction
           Simulator},
  author = {Fan, Zhihao and Wei, Lai and Tang, Jialong and Chen, Wei and Siyuan, Wang and
            Wei, Zhongyu and Huang, Fei},
  booktitle = {Proceedings of the 31st International Conference on Computational Linguistics},
  pages = {10183--10213},
  year = {2025},
  note = {arXiv:2402.09742}
}
""",
    "agentclinic": """\
@article{agentclinic,
  title = {{AgentClinic}: a multimodal agent benchmark to evaluate {AI} in simulated clinical
           environments},
  author = {Schmidgall, Samuel and Ziaei, Rojin and Harris, Carl and Reis, Eduardo and
            Jopling, Jeffrey and Moor, Michael},
  journal = {arXiv preprint arXiv:2405.07960},
  year = {2024}
}
""",
    "mediq": """\
@article{mediq,
  title = {{MediQ}: Question-Asking {LLMs} and a Benchmark for Reliable Interactive Clinical
           Reasoning},
  author = {Li, Shuyue Stella and Balachandran, Vidhisha and Feng, Shangbin and
            Ilgen, Jonathan S. and Pierson, Emma and Koh, Pang Wei and Tsvetkov, Yulia},
  journal = {arXiv preprint arXiv:2406.00922},
  year = {2024}
}
""",
    "avey": """\
@article{avey,
  title = {Evaluating the Diagnostic Performance of Symptom Checkers: Clinical Vignette Study},
  author = {Hammoud, Mohammad and others},
  journal = {JMIR AI},
  volume = {3},
  pages = {e46875},
  year = {2024}
}
""",
    "semigran": """\
@article{semigran,
  title = {Evaluation of symptom checkers for self diagnosis and triage: audit study},
  author = {Semigran, Hannah L. and Linder, Jeffrey A. and Gidengil, Courtney and
            Mehrotra, Ateev},
  journal = {BMJ},
  volume = {351},
  pages = {h3480},
  year = {2015}
}
""",
    "icd10": """\
@misc{icd10,
  title = {International Statistical Classification of Diseases and Related Health Problems,
           10th Revision},
  author = {{World Health Organization}},
  year = {2019}
}
""",
    "bootstrap": """\
@book{bootstrap,
  title = {An Introduction to the Bootstrap},
  author = {Efron, Bradley and Tibshirani, Robert J.},
  publisher = {Chapman and Hall},
  year = {1993}
}
""",
    "holm": """\
@article{holm,
  title = {A simple sequentially rejective multiple test procedure},
  author = {Holm, Sture},
  journal = {Scandinavian Journal of Statistics},
  volume = {6},
  number = {2},
  pages = {65--70},
  year = {1979}
}
""",
    "piepho": """\
@article{piepho,
  title = {An algorithm for a letter-based representation of all-pairwise comparisons},
  author = {Piepho, Hans-Peter},
  journal = {Journal of Computational and Graphical Statistics},
  volume = {13},
  number = {2},
  pages = {456--466},
  year = {2004}
}
""",
    "taubench": """\
@article{taubench,
  title = {{tau}-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains},
  author = {Yao, Shunyu and Shinn, Noah and Razavi, Pedram and Narasimhan, Karthik},
  journal = {arXiv preprint arXiv:2406.12045},
  year = {2024}
}
""",
}

_SOURCES = (
    ("MVME", "MVME", "aihospital"),
    ("AgentClinic OSCE", "AgentClinic OSCE", "agentclinic"),
    ("AgentClinic NEJM", "AgentClinic NEJM", "agentclinic"),
    ("MediQ", "MediQ iCRAFT-MD", "mediq"),
    ("SymptomCheck Bench", "SymptomCheck Bench (Avey vignettes)", "avey"),
    ("Semigran", "Semigran triage vignettes", "semigran"),
    ("hospital", "", None),
)
BUNDLED = ""
"""The family of the cases that come with this program."""
OTHER = "?"
"""The family of cases that no known collection holds."""


def source_family(source: str | None) -> tuple[str, str | None]:
    """The collection that a record's `source` names, and the key of what to cite for it."""
    for beginning, name, key in _SOURCES:
        if source is not None and source.startswith(beginning):
            rebuilt = name == "MVME" and "rebuilt" in source
            return (f"{name}, rebuilt from published dialogues" if rebuilt else name), key
    return OTHER, None


def bibliography(keys: Iterable[str]) -> str:
    """BibTeX entries of these keys, each once, sorted.

    Raises:
        KeyError: there is no such entry.
    """
    return "\n".join(_ENTRIES[key] for key in sorted(set(keys)))
