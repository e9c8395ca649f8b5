"""What a trained model says of resumes: from its artefact and its encoder's weights alone, without torch."""

from evenhand.models.judging.judge import Judge, load_judge

__all__ = ["Judge", "load_judge"]
