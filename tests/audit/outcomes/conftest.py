"""Fixtures that these tests share with others."""

from __future__ import annotations

from tests.screening.service_fixtures import service, settings

__all__ = ["service", "settings"]
