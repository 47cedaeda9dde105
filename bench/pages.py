"""The pages that measurements stand on: one section for each, rewritten in its place."""

from pathlib import Path

from machine import ROOT

BENCHMARKS = ROOT / "docs/benchmarks.md"
VOICES_PAGE = ROOT / "docs/voices.md"


def write_section(name: str, text: str, file: Path = BENCHMARKS) -> None:
    """Between `<!-- name -->` and `<!-- end of name -->`; the words around stay."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    page = file.read_text()
    before, found, rest = page.partition(begin)
    _, found_end, after = rest.partition(end)
    if not (found and found_end):
        raise SystemExit(f"{file.relative_to(ROOT)} has no place for {name}: put {begin} and {end} on lines of their own")
    file.write_text(f"{before}{begin}\n\n{text.strip()}\n\n{end}{after}")
