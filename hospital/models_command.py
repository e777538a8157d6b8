"""`hospital models`: which models there are by name, and what one of them can do."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hospital.model_options import KeyFile, ModelsFile

if TYPE_CHECKING:
    from agents.model.keys import Keys
    from agents.model.model_spec import ModelSpec
    from agents.model.model_table import ModelTable
    from agents.model.probe import ProbeReport

UNFIT = 3
BAD_SPEC = 2

models_app = typer.Typer(
    help="The models by name, and what one of them can do.",
    no_args_is_help=True,
    add_completion=False,
)

Json = Annotated[bool, typer.Option("--json", help="Print it as JSON.")]


@models_app.command("list")
def list_models(
    provider: Annotated[
        str | None, typer.Argument(help="Only this provider's.", show_default=False)
    ] = None,
    models: ModelsFile = None,
    key_file: KeyFile = None,
    json_: Json = False,
) -> None:
    """List providers and models: address, whether the key is set, price, what is special.

    Any other model of a provider is named the same way, PROVIDER/MODEL.
    """
    from agents.model.keys import Keys
    from agents.model.model_table import ModelTable

    table, keys = ModelTable.load(models), Keys(key_file)
    if provider is not None:
        table.provider(provider)
    names = [provider] if provider is not None else list(table.providers)
    rows = [_provider(table, keys, name) for name in names]
    if json_:
        print(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        _print_list(rows)


@models_app.command("check")
def check(
    spec: Annotated[
        str, typer.Argument(metavar="SPEC", help="PROVIDER/MODEL, URL#MODEL, or autogen:FILE.")
    ],
    models: ModelsFile = None,
    key_file: KeyFile = None,
    json_: Json = False,
) -> None:
    """Connect to a model and try it out in ten short calls: prompts, JSON, reasoning, streaming.

    Exit code 0 if it can sit in a chair; 2 if the request is refused as such (key, name,
    parameters); 3 if nothing came that could be used.
    """
    from agents.model.keys import Keys
    from agents.model.model_failure import FailureKind
    from agents.model.model_spec import is_model
    from agents.model.model_table import ModelTable
    from agents.model.probe import probe

    table = ModelTable.load(models)
    if not is_model(spec):
        spec = spec if "://" in spec else f"{spec}/"
    resolved = table.resolve(spec)
    report = asyncio.run(probe(spec, resolved, Keys(key_file).find(resolved)))
    if json_:
        shown = report.model_dump(mode="json") | {"can_sit": report.can_sit}
        print(json.dumps(shown, ensure_ascii=False, indent=2))
    else:
        _print_report(report)
    if report.failure is not None:
        raise typer.Exit(BAD_SPEC if report.failure is FailureKind.REQUEST else UNFIT)


def _provider(table: ModelTable, keys: Keys, name: str) -> dict[str, Any]:
    entry = table.providers[name]
    specs = {model: spec for model, spec in table.listed() if spec.provider == name}
    # What is said of all models that match a pattern is said of the pattern.
    patterns = [f"{name}/{model}" for model in entry.models if "*" in model]
    specs |= {pattern: table.resolve(pattern) for pattern in patterns}
    any_model = table.resolve(f"{name}/*").model_copy(update={"key_needed": False})
    shared = _settings(any_model)
    has_key = keys.find(any_model) is not None
    return {
        "provider": name,
        "url": entry.url,
        "key_env": any_model.key_env,
        "key_needed": not entry.local,
        "key_set": has_key,
        "settings": shared,
        "models": [
            {
                "name": model,
                "price": spec.price.model_dump() if spec.price else None,
                "settings": {k: v for k, v in _settings(spec).items() if shared.get(k) != v},
            }
            for model, spec in specs.items()
        ],
    }


def _settings(spec: ModelSpec) -> dict[str, Any]:
    """What is set or special of a model, beside its address, key and price."""
    told = {"url", "model", "provider", "key_env", "key_file", "key_needed", "price"}
    return spec.model_dump(mode="json", exclude=told, exclude_defaults=True)


def _special(settings: dict[str, Any]) -> str:
    return " ".join(
        f"{name}={value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for name, value in settings.items()
    )


def _print_list(rows: list[dict[str, Any]]) -> None:
    from rich.console import Console

    from hospital.columns import clean

    console = Console(highlight=False)
    for row in rows:
        key = "key set" if row["key_set"] else "no key"
        needed = key if row["key_needed"] or row["key_set"] else "no key needed"
        console.print(f"{clean(row['provider'])}/", style="bold", markup=False, end="")
        special = f"  {_special(row['settings'])}" if row["settings"] else ""
        where = f" {clean(row['url'])}  {row['key_env']}: {needed}{clean(special)}"
        console.print(where, markup=False, soft_wrap=True)
        for model in row["models"]:
            price = model["price"]
            cost = f"${price['prompt']:g} / ${price['completion']:g}" if price else "price unknown"
            line = f"  {clean(model['name']):<34} {cost:<16} {clean(_special(model['settings']))}"
            console.print(line.rstrip(), markup=False, soft_wrap=True)
    console.print(
        "Prices are US dollars per million tokens, prompt / completion.",
        style="dim",
        soft_wrap=True,
    )


def _print_report(report: ProbeReport) -> None:
    from rich.console import Console

    from hospital.columns import clean

    console = Console(highlight=False)
    console.print(f"{clean(report.model)} at {clean(report.url)}", style="bold", markup=False)
    styles = {"yes": "green", "handled": "yellow", "no": "yellow", "failed": "red"}
    signs = {"yes": "ok", "handled": "~", "no": "!", "failed": "x"}
    for finding in report.findings:
        console.print(f"{signs[finding.outcome]:>3} ", style=styles[finding.outcome], end="")
        ours = f" -> {finding.handling}" if finding.handling else ""
        line = f"{finding.what:<14} {finding.found}{ours}"
        console.print(clean(line), markup=False, soft_wrap=True)
    verdict = "It can sit in a chair." if report.can_sit else "It cannot sit in a chair."
    console.print(verdict, style="bold")
