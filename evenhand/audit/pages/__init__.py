"""A report of an audit as people see it: a page, its charts, and the words for how bad a finding is."""
