"""`evenhand bench coverage`: how much is found in real resumes nobody annotated, and that all of them are mined.

Only counts are kept: the resumes are people's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from evenhand.errors import UsageError
from evenhand.mining.in_process import is_failed
from evenhand.mining.pipeline import mine_many
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records.profile import Profile
from evenhand_lab.benchmarks.inputs import resume_files
from evenhand_lab.benchmarks.kit import Measurement, share

FOLDERS = ("livecareer-pdf/pdf",)
AS_OF = "2024-01"  # given, so that the figures do not move with the calendar
FEW_SKILLS = 5
QUESTIONS: dict[str, Callable[[Profile], bool]] = {
    "a name": lambda profile: profile.name is not None,
    "a job": lambda profile: bool(profile.positions),
    "a dated job": lambda profile: any(job.period.start for job in profile.positions),
    "a title": lambda profile: any(job.title for job in profile.positions),
    "an employer": lambda profile: any(job.employer for job in profile.positions),
    "a degree": lambda profile: any(entry.degree for entry in profile.education),
    "a university": lambda profile: any(entry.university for entry in profile.education),
    f"at least {FEW_SKILLS} skills": lambda profile: len(profile.skills) >= FEW_SKILLS,
    "a skill with months": lambda profile: any(skill.months for skill in profile.skills),
    "total months": lambda profile: profile.total_months is not None,
}


@dataclass(frozen=True, slots=True)
class Coverage(Measurement):
    """Shares are of the resumes that have text; `by_folder` is the share with a dated job, a title and skills each."""

    title: ClassVar[str] = "what is found in resumes that nobody annotated"
    files: int
    unread: dict[str, int]  # code -> files
    failed: int  # read, but mining gave up
    mined: int
    found: dict[str, int]  # resumes
    by_folder: dict[str, tuple[int, float]]
    warnings: dict[str, int]  # code -> resumes

    def rows(self) -> list[tuple[str, str]]:
        return [
            ("files", str(self.files)),
            ("files that were not read", _counted(self.unread)),
            ("resumes at which mining failed", f"{self.failed} (none allowed)"),
            *((f"with {what}", share(count, self.mined)) for what, count in self.found.items()),
            *(
                (f"  {folder}: resumes, share with job dates, title and skills", f"{count}, {part:.1%}")
                for folder, (count, part) in self.by_folder.items()
            ),
            ("resumes with warnings", _counted(self.warnings)),
        ]


def run(data: Path | None = None, *, n: int | None = None, progress: Progress = no_progress) -> Coverage:
    """Mine every resume under `data`; `n` of them, evenly chosen, for a quick look."""
    if data is None:
        raise UsageError("This bench needs --data with a folder of resumes.")
    paths = resume_files(data, FOLDERS, n)
    profiles = with_progress(mine_many(paths, as_of=AS_OF), progress, "mining", len(paths))
    return summary([path.parent.name for path in paths], list(profiles))


def summary(folders: Sequence[str], profiles: Sequence[Profile]) -> Coverage:
    by_folder: dict[str, list[Profile]] = {}
    for folder, profile in zip(folders, profiles, strict=True):
        if profile.document.error is None:
            by_folder.setdefault(folder, []).append(profile)
    mined = [profile for group in by_folder.values() for profile in group]
    codes = ({warning.code for warning in (*profile.document.warnings, *profile.warnings)} for profile in mined)
    return Coverage(
        files=len(profiles),
        unread=_most_common(profile.document.error.code for profile in profiles if profile.document.error),
        failed=sum(map(is_failed, mined)),
        mined=len(mined),
        found={what: sum(map(is_found, mined)) for what, is_found in QUESTIONS.items()},
        # A single folder is no class of resumes.
        by_folder={name: (len(group), _share(map(is_full, group))) for name, group in sorted(by_folder.items())}
        if len(by_folder) > 1
        else {},
        warnings=_most_common(code for some in codes for code in some),
    )


def is_full(profile: Profile) -> bool:
    return all(QUESTIONS[what](profile) for what in ("a dated job", "a title", f"at least {FEW_SKILLS} skills"))


def _share(answers: Iterable[bool]) -> float:
    answers = list(answers)
    return sum(answers) / len(answers) if answers else 0.0


def _most_common(codes: Iterable[str]) -> dict[str, int]:
    return dict(Counter(codes).most_common())


def _counted(codes: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {code}" for code, count in codes.items()) or "0"
