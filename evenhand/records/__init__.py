"""What flows through Evenhand: frozen types, one canonical JSON form, one content hash."""

from evenhand.records.conversion import canonical_json, content_hash
from evenhand.records.document import Document, Failure, Hidden, Line, Table, Warning
from evenhand.records.explanation import LabelProbability, ModelStamp, Prediction
from evenhand.records.job import Demand, Job, Passage, Place
from evenhand.records.profile import (
    Certification,
    Education,
    Evidence,
    Fact,
    Period,
    Position,
    Profile,
    Project,
    Section,
    Skill,
    Source,
)
from evenhand.records.ranking import Flag, Match, Part, Ranking, Result, Score, Snippet, Unread

__all__ = [
    "Certification",
    "Demand",
    "Document",
    "Education",
    "Evidence",
    "Fact",
    "Failure",
    "Flag",
    "Hidden",
    "Job",
    "LabelProbability",
    "Line",
    "Match",
    "ModelStamp",
    "Part",
    "Passage",
    "Period",
    "Place",
    "Position",
    "Prediction",
    "Profile",
    "Project",
    "Ranking",
    "Result",
    "Score",
    "Section",
    "Skill",
    "Snippet",
    "Source",
    "Table",
    "Unread",
    "Warning",
    "canonical_json",
    "content_hash",
]
