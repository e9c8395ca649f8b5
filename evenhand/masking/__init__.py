"""What of a resume is not to be shown in blind screening, found by kind, and the text with tokens in its place."""
