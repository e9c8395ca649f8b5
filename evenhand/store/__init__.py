"""What is kept: jobs, candidates, applications, documents, profiles, decisions; SQLite or PostgreSQL."""
