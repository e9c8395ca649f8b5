"""DOCX (also DOCM, DOTX, strict OOXML) to a draft: text in order, hidden text apart, nothing run."""
