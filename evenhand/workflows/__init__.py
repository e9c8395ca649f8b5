"""In which order the stages are called."""
