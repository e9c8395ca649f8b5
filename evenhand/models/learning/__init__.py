"""Training with torch. Nothing outside this package loads it; what is learned runs without."""

from evenhand.models.learning.encoders import Tuning
from evenhand.models.learning.exactness import be_exact
from evenhand.models.learning.examples import Example
from evenhand.models.learning.export import Exported, export
from evenhand.models.learning.schedule import Epoch, Progress, Schedule
from evenhand.models.learning.states import KeptStates, open_states
from evenhand.models.learning.training import Trained, train_network

__all__ = [
    "Epoch",
    "Example",
    "Exported",
    "KeptStates",
    "Progress",
    "Schedule",
    "Trained",
    "Tuning",
    "be_exact",
    "export",
    "open_states",
    "train_network",
]
