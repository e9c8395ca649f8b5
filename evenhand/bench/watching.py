"""How a bench tells that it moves on: as all long work does."""

from evenhand.workflows.watching import Bar, NoBar, Watch, unwatched, watched

__all__ = ["Bar", "NoBar", "Watch", "unwatched", "watched"]
