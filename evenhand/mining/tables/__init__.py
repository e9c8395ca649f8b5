"""The table analyzer: types of tables (TabClass) and of the columns of 2-D tables (ColClass)."""
