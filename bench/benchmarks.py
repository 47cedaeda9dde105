"""docs/benchmarks.md: one section for each measurement that people decide by, rewritten in its place."""

from machine import ROOT

FILE = ROOT / "docs/benchmarks.md"


def write_section(name: str, text: str) -> None:
    """Between `<!-- name -->` and `<!-- end of name -->`; the words around stay."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    page = FILE.read_text()
    before, found, rest = page.partition(begin)
    _, found_end, after = rest.partition(end)
    if not (found and found_end):
        raise SystemExit(f"{FILE.relative_to(ROOT)} has no place for {name}: put {begin} and {end} on lines of their own")
    FILE.write_text(f"{before}{begin}\n\n{text.strip()}\n\n{end}{after}")
