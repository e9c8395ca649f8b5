"""The table analyzer: types of tables (TabClass) and of the columns of 2-D tables (ColClass)."""

from evenhand.mining.tables.analysis import TableAnalysis, TableReading, analyse
from evenhand.mining.tables.model import TableModel, shipped_model

__all__ = ["TableAnalysis", "TableModel", "TableReading", "analyse", "shipped_model"]
