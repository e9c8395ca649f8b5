"""Training of the models that ship, from annotated and generated resumes."""
