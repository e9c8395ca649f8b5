"""Reports, letters, charts and spreadsheets: results as people see them."""
