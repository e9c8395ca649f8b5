"""Users, their sessions, links, tokens, and who may see which job."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

MOMENT = sa.DateTime().with_variant(sa.DateTime(timezone=True), "postgresql")


def upgrade() -> None:
    create_users()
    create_ways_in()
    create_throttle()
    create_job_access()
    create_single_sign_on()


def create_users() -> None:
    op.create_table(
        "users",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("login", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("password", sa.Text(), nullable=True),
        sa.Column("created", MOMENT, nullable=False),
        sa.Column("disabled", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
        sa.UniqueConstraint("login", name="uq_users_login"),
    )


def create_ways_in() -> None:
    op.create_table(
        "sessions",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("user", sa.String(length=32), nullable=False),
        sa.Column("opened", MOMENT, nullable=False),
        sa.Column("seen", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_sessions"),
        sa.UniqueConstraint("id", name="uq_sessions_id"),
        _user_of("sessions"),
    )
    op.create_table(
        "links",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("user", sa.String(length=32), nullable=False),
        sa.Column("expires", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_links"),
        _user_of("links"),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("user", sa.String(length=32), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created", MOMENT, nullable=False),
        sa.Column("expires", MOMENT, nullable=False),
        sa.Column("used", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
        sa.UniqueConstraint("hash", name="uq_tokens_hash"),
        _user_of("tokens"),
    )
    for table in ("sessions", "links", "tokens"):
        op.create_index(f"ix_{table}_user", table, ["user"])


def create_throttle() -> None:
    op.create_table(
        "throttle",
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("last", MOMENT, nullable=False),
        sa.Column("until", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("kind", "hash", name="pk_throttle"),
    )
    op.create_index("ix_throttle_last", "throttle", ["last"])


def create_job_access() -> None:
    op.create_table(
        "job_access",
        sa.Column("job", sa.String(length=32), nullable=False),
        sa.Column("user", sa.String(length=32), nullable=False),
        sa.Column("given", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("job", "user", name="pk_job_access"),
        sa.ForeignKeyConstraint(["job"], ["jobs.id"], name="fk_job_access_job", ondelete="CASCADE"),
        _user_of("job_access"),
    )
    op.create_index("ix_job_access_user", "job_access", ["user"])


def create_single_sign_on() -> None:
    op.create_table(
        "identities",
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("user", sa.String(length=32), nullable=False),
        sa.Column("connected", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("issuer", "subject", name="pk_identities"),
        _user_of("identities"),
    )
    op.create_table(
        "pending_sign_ins",
        sa.Column("state", sa.String(length=64), nullable=False),
        sa.Column("browser", sa.String(length=64), nullable=False),
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("nonce", sa.String(length=64), nullable=False),
        sa.Column("verifier", sa.String(length=128), nullable=False),
        sa.Column("user", sa.String(length=32), nullable=True),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("expires", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("state", name="pk_pending_sign_ins"),
        _user_of("pending_sign_ins"),
    )
    for table in ("identities", "pending_sign_ins"):
        op.create_index(f"ix_{table}_user", table, ["user"])


def _user_of(table: str) -> sa.ForeignKeyConstraint:
    """A user is never deleted, only disabled; where one is after all, nothing of hers lets anyone in."""
    return sa.ForeignKeyConstraint(["user"], ["users.id"], name=f"fk_{table}_user", ondelete="CASCADE")
