"""What of a resume is not to be shown in blind screening, found by kind, and the text with tokens in its place."""

from evenhand.masking.masker import Masker, find_masks
from evenhand.masking.masks import KINDS, Mask, Masked, apply, merge

__all__ = ["KINDS", "Mask", "Masked", "Masker", "apply", "find_masks", "merge"]
