"""Files the benches measure on: a folder the user names, or the samples that come with Evenhand."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path

from evenhand.errors import UsageError
from evenhand.records import Job
from evenhand.records.document import Document
from evenhand_lab.corpora.generate import CorpusRequest, make
from evenhand_lab.corpora.kinds.kinds import KINDS

KEY = 12  # characters of the hash by which results name a file: its own name could be a person's


def key_of(document: Document) -> str:
    return document.sha256[:KEY]


def files_under(folder: Path) -> list[Path]:
    """All regular files at any depth, sorted; a single file stands for itself."""
    found = [folder] if folder.is_file() else sorted(path for path in folder.rglob("*") if path.is_file())
    if not found:
        raise UsageError(f"There are no files under {folder}.")
    return found


def resume_files(folder: Path, known: Sequence[str], n: int | None = None) -> list[Path]:
    """The files of the known folders that are there; of the whole folder when none of them is. `n` spread evenly."""
    parts = [folder / name for name in known if (folder / name).is_dir()]
    paths = [path for part in parts or [folder] for path in files_under(part)]
    return spread_evenly(paths, n) if n else paths


def spread_evenly(paths: Sequence[Path], n: int) -> list[Path]:
    return list(paths[:: max(1, len(paths) // n)][:n])


def samples() -> list[Path]:
    """The bundled sample resumes, good and bad ones."""
    return files_under(Path(str(files("evenhand") / "samples")))


JOB = Job(text="Software developer", title="Software developer")


def request_in_turn(seed: int, number: int, format: str) -> CorpusRequest:
    """For the resume of this number: all kinds in turn."""
    kinds = sorted(KINDS)
    return CorpusRequest(seed, kinds[number % len(kinds)], (format,))


def write_resumes(folder: Path, order: CorpusRequest, numbers: Iterable[int]) -> list[Path]:
    """Generated resumes as text files."""
    folder.mkdir(exist_ok=True)
    paths = []
    for number in numbers:
        paths.append(folder / f"{number}.txt")
        paths[-1].write_bytes(make(order, number).files[0].data)
    return paths


# The words of two readings, compared: what both have, and what one lacks.

_WORD = re.compile(r"\w+")

Words = frozenset[str]


def distinct_words(*texts: str) -> Words:
    """The different words of all texts, without regard to case or to how characters are encoded."""
    joined = "\n".join(texts)
    # Folding can undo the composition ("ŉ" becomes two characters), so it comes first.
    return frozenset(_WORD.findall(unicodedata.normalize("NFKC", joined.casefold())))


def share_found(wanted: Words, found: Words) -> float:
    """The share of the wanted words that are among the found; everything when nothing is wanted."""
    return len(wanted & found) / len(wanted) if wanted else 1.0


def jaccard(first: Words, second: Words) -> float:
    """Words in both against words in either."""
    either = first | second
    return len(first & second) / len(either) if either else 1.0


# Other programs that read the same files: pdftotext for PDF, LibreOffice for office formats.

PACKAGES = {"pdftotext": "poppler-utils", "soffice": "libreoffice-writer"}
BATCH = 20  # files per start of LibreOffice, which alone takes seconds
FILE_SECONDS = 60
# LibreOffice would open a web page in another of its programs, which has no export to plain text in UTF-8.
OPENED_AS = {"html": "HTML (StarWriter)"}


def program(name: str) -> str:
    """The path of a peer, which Evenhand itself never needs."""
    found = shutil.which(name)
    if found is None:
        raise UsageError(
            f"This bench compares with {name}, which is not installed; "
            f"on Debian or Ubuntu it comes with the package {PACKAGES[name]}."
        )
    return found


def pdf_text(path: Path) -> str:
    """What pdftotext finds; nothing where it fails."""
    command = [program("pdftotext"), "-q", "-enc", "UTF-8", str(path), "-"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=FILE_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout.decode("utf-8", "replace")


def office_texts(
    files: Mapping[str, Path], folder: Path, *, advance: Callable[[], None] = lambda: None
) -> dict[str, str]:
    """What LibreOffice exports as text, by the same keys; a file it cannot open is missing."""
    converted = convert(files, folder, target="txt:Text (encoded):UTF8", advance=advance)
    return {key: path.read_text(encoding="utf-8-sig", errors="replace") for key, path in converted.items()}


def convert(
    files: Mapping[str, Path], folder: Path, *, target: str, advance: Callable[[], None] = lambda: None
) -> dict[str, Path]:
    """Files to `target`, inside `folder`; their keys have different stems and true suffixes, as `abc.docx`."""
    (folder / "in").mkdir(parents=True, exist_ok=True)
    sources = {}
    for key, path in files.items():  # under names that tell the type and nothing else
        sources[key] = folder / "in" / key
        sources[key].unlink(missing_ok=True)
        sources[key].symlink_to(path.resolve())
    for suffix in sorted({source.suffix for source in sources.values()}):
        alike = [source for source in sources.values() if source.suffix == suffix]
        for start in range(0, len(alike), BATCH):
            batch = alike[start : start + BATCH]
            _start_office(batch, folder, target)
            if len(batch) > 1:  # a file may have taken LibreOffice down: the others are tried one by one
                for source in batch:
                    if not _converted(source, folder, target).exists():
                        _start_office([source], folder, target)
            for _ in batch:
                advance()
    made = {key: _converted(source, folder, target) for key, source in sources.items()}
    return {key: path for key, path in made.items() if path.exists()}


def _start_office(sources: Sequence[Path], folder: Path, target: str) -> None:
    """One start of LibreOffice, which starts other programs: all of them are ended when it takes too long."""
    opened_as = OPENED_AS.get(sources[0].suffix.removeprefix("."))
    command = [
        program("soffice"),
        # A folder of its own: the user's settings stay as they are, and an open LibreOffice does not interfere.
        f"-env:UserInstallation={(folder / 'profile').resolve().as_uri()}",
        "--headless",
        *([f"--infilter={opened_as}"] if opened_as else []),
        *("--convert-to", target, "--outdir", str(folder / "out"), *map(str, sources)),
    ]
    started = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        started.wait(30 + FILE_SECONDS * len(sources))
    except subprocess.TimeoutExpired:
        os.killpg(started.pid, signal.SIGKILL)
        started.wait()


def _converted(source: Path, folder: Path, target: str) -> Path:
    return folder / "out" / f"{source.stem}.{target.partition(':')[0]}"
