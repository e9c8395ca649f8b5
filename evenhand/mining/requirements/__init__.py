"""The text of a job ad to a Job: title, skills with months, experience, degree, place, passages by what they say."""
