"""The same operations as JSON, for programs; one module for each kind of thing."""

from fastapi import APIRouter

api = APIRouter()
