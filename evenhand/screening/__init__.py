"""Jobs, the candidate list, the candidate page, decisions, imports, exports."""
