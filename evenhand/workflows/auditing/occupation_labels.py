"""Which label of the shipped occupation models the occupations of generated resumes have; some have none."""

from __future__ import annotations

from collections.abc import Sequence

LABELS: dict[str, tuple[str, ...]] = {
    "Accountant": ("ACCOUNTANT",),
    "Agriculture Specialist": ("AGRICULTURE",),
    "Arts Coordinator": ("ARTS",),
    "Banking Associate": ("BANKING",),
    "Business Development Manager": ("BUSINESS-DEVELOPMENT",),
    "Chef": ("CHEF",),
    "Civil Engineer": ("ENGINEERING",),
    "Construction Manager": ("CONSTRUCTION",),
    "Customer Support Representative": ("BPO",),
    "Data Analyst": ("INFORMATION-TECHNOLOGY",),
    "Digital Media Producer": ("DIGITAL-MEDIA",),
    "Electrician": ("CONSTRUCTION",),
    "Fitness Trainer": ("FITNESS",),
    "Flight Attendant": ("AVIATION",),
    "Graphic Designer": ("DESIGNER",),
    "HR Specialist": ("HR",),
    "Lawyer": ("ADVOCATE",),
    "Mechanical Engineer": ("ENGINEERING",),
    "Paralegal": ("ADVOCATE",),
    "Pharmacist": ("HEALTHCARE",),
    "Public Relations Specialist": ("PUBLIC-RELATIONS",),
    "Registered Nurse": ("HEALTHCARE",),
    "Sales Manager": ("SALES",),
    "Software Developer": ("INFORMATION-TECHNOLOGY", "Software_Developer"),
    "Teacher": ("TEACHER",),
    # Roles in information technology
    ".NET Developer": ("Software_Developer",),
    "Database Administrator": ("Database_Administrator",),
    "Front-End Developer": ("Front_End_Developer",),
    "Java Developer": ("Java_Developer",),
    "Network Engineer": ("Network_Administrator",),
    "Project Manager": ("Project_manager",),
    "Python Developer": ("Python_Developer",),
    "Unix Administrator": ("Systems_Administrator",),
}


def label_of(occupation: str, labels: Sequence[str]) -> str | None:
    """The occupation itself where a model knows it by that name; None where no label of the model says the same."""
    if occupation in labels:
        return occupation
    return next((label for label in LABELS.get(occupation, ()) if label in labels), None)
