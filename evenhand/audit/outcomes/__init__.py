"""Who fares how: rates by group, what they are against each other, and how sure that is. Arithmetic, nothing else."""
