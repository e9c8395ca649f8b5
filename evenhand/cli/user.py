"""`evenhand user`: who may work here. The first admin is made with it; there is no password to begin with."""

from __future__ import annotations

import getpass
import sys
from typing import TYPE_CHECKING, Annotated

from rich import box
from rich.table import Table
from rich.text import Text

from evenhand.cli import options as opt
from evenhand.cli.options import actor_from, command_group, service_from
from evenhand.cli.terminal import print_rich, write_json, write_stderr, write_stdout
from evenhand.errors import UsageError
from evenhand.rendering.cells import printable
from evenhand.settings import Settings

if TYPE_CHECKING:
    from evenhand.store.accounts import UserAccount
    from evenhand.store.store import Store

app = command_group(
    "Users: recruiters see their own jobs, auditors read everything but contact data, administrators manage it all."
)

Login = Annotated[str, opt.argument("LOGIN", "A name or an e-mail address, without spaces.")]
Role = Annotated[str, opt.option("--role ROLE", "recruiter, auditor or admin.")]
NewRole = Annotated[str, opt.argument("ROLE", "recruiter, auditor or admin.")]
Name = Annotated[str, opt.option("--name NAME", "Display name; the login if not given.")]
NewName = Annotated[str, opt.argument("NAME", "Display name.")]
ByLink = Annotated[bool, opt.option("--link", "Print a one-time link instead of asking for a password.")]
InvitedFor = Annotated[float, opt.option("--hours H", "How long the invitation is valid.", min=0.1)]
LinkFor = Annotated[float, opt.option("--hours H", "How long the link is valid.", min=0.1)]
ForPassword = Annotated[bool, opt.option("--password", "A link to choose a new password with.")]


@app.command()
def add(
    login: Login, role: Role, name: Name = "", link: ByLink = False, by: opt.Actor = None, set_: opt.Set = None
) -> None:
    """Add a user; asks for the password, which is typed twice. The first admin is made this way.

    Examples:

    - evenhand user add ada@example.com --role admin --name "Ada Brent"
    - evenhand user add ada@example.com --role admin --link
    """
    from evenhand.accounts.sign_in import INVITATION_HOURS, add_with_password, check_new_user

    if link:
        invite(login, role, name, INVITATION_HOURS, by, set_)
        return
    with service_from(set_) as service:
        check_new_user(service.store, login, role)
        user = add_with_password(service.store, login, role, ask_password(), name=name, actor=actor_from(by))
    write_stderr(f"{user.login} can sign in at {service.settings.origin}")


@app.command()
def invite(
    login: Login,
    role: Role = "recruiter",
    name: Name = "",
    hours: InvitedFor = 72.0,
    by: opt.Actor = None,
    set_: opt.Set = None,
) -> None:
    """Add a user who chooses their own password; prints the one-time link to send them.

    The link begins with the setting address. Whoever opens it first gets in, so send it to nobody else.

    Examples:

    - evenhand user invite bo@example.com
    - evenhand user invite cy@example.com --role auditor --hours 24
    """
    from evenhand.accounts.sign_in import invite as invite_user

    with service_from(set_) as service:
        invitation = invite_user(service.store, login, role, name=name, hours=hours, actor=actor_from(by))
    write_link(service.settings, invitation.token, invitation.user, hours)


@app.command("list")
def list_(json: opt.AsJson = False, set_: opt.Set = None) -> None:
    """List the users, their roles, and who cannot sign in."""
    with service_from(set_) as service:
        users = service.store.accounts.all()
    if json:
        for user in users:
            write_json(summary(user))
    elif users:
        print_rich(users_table(users))
    else:
        write_stderr("There are no users yet. Make the first: evenhand user add LOGIN --role admin")


@app.command()
def role(login: Login, role: NewRole, yes: opt.Confirmed = False, by: opt.Actor = None, set_: opt.Set = None) -> None:
    """Give a user another role, at once and in all sessions. There is always one admin left.

    Without --yes it only says what would change.

    Example:

    - evenhand user role bo@example.com auditor --yes
    """
    with service_from(set_) as service:
        user = service.store.accounts.before_role_change(named(service.store, login).id, role)
        if user.role == role:
            write_stderr(f"{user.login} is {role} already.")
        elif not yes:
            write_stderr(f"{user.login} would be {role} instead of {user.role}; --yes does it.")
        else:
            service.store.accounts.change_role(user.id, role, actor=actor_from(by))
            write_stderr(f"{user.login} is {role} now and was {user.role} before.")


@app.command()
def rename(login: Login, name: NewName, by: opt.Actor = None, set_: opt.Set = None) -> None:
    """Change the name that others see; the login stays.

    Example:

    - evenhand user rename bo@example.com "Bo Carden-Lee"
    """
    with service_from(set_) as service:
        service.store.accounts.rename(named(service.store, login).id, name, actor=actor_from(by))


@app.command()
def disable(login: Login, by: opt.Actor = None, set_: opt.Set = None) -> None:
    """Disable a user: sessions, tokens and links end at once. Their decisions stay on record.

    Example:

    - evenhand user disable bo@example.com
    """
    with service_from(set_) as service:
        service.store.accounts.disable(named(service.store, login).id, actor=actor_from(by))


@app.command()
def enable(login: Login, by: opt.Actor = None, set_: opt.Set = None) -> None:
    """Enable a disabled user, with the password they had.

    Example:

    - evenhand user enable bo@example.com
    """
    with service_from(set_) as service:
        service.store.accounts.enable(named(service.store, login).id, actor=actor_from(by))


@app.command()
def password(login: Login, by: opt.Actor = None, set_: opt.Set = None) -> None:
    """Set a user's password, which is typed twice; their sessions end.

    Example:

    - evenhand user password bo@example.com
    """
    from evenhand.accounts.sign_in import set_password

    with service_from(set_) as service:
        user = named(service.store, login)
        set_password(service.store, user, ask_password(), actor=actor_from(by))


@app.command()
def link(
    login: Login, new_password: ForPassword = False, hours: LinkFor = 1.0, by: opt.Actor = None, set_: opt.Set = None
) -> None:
    """Print a one-time link that signs a user in, or lets them choose a new password.

    A newer link of a kind voids the older one.

    Examples:

    - evenhand user link bo@example.com
    - evenhand user link bo@example.com --password --hours 24
    """
    from evenhand.accounts.sign_in import PASSWORD, SIGN_IN

    with service_from(set_) as service:
        user = named(service.store, login)
        token = service.store.links.make(PASSWORD if new_password else SIGN_IN, user.id, hours, actor=actor_from(by))
    write_link(service.settings, token, user, hours)


@app.command()
def give(job: opt.JobId, login: Login, by: opt.Actor = None, set_: opt.Set = None) -> None:
    """Add a recruiter to a job. Auditors and administrators see every job anyway.

    Example:

    - evenhand user give JOB bo@example.com
    """
    with service_from(set_) as service:
        if not service.store.jobs.grant_access(job, named(service.store, login).id, actor=actor_from(by)):
            write_stderr(f"{login} had the job already.")


@app.command()
def take(job: opt.JobId, login: Login, by: opt.Actor = None, set_: opt.Set = None) -> None:
    """Remove a recruiter from a job.

    Example:

    - evenhand user take JOB bo@example.com
    """
    with service_from(set_) as service:
        service.store.jobs.revoke_access(job, named(service.store, login).id, actor=actor_from(by))


def named(store: Store, login: str) -> UserAccount:
    from evenhand.accounts.sign_in import by_login

    return by_login(store, login)


def ask_password() -> str:
    """Never an argument, which others on the machine could read in the list of processes."""
    if not sys.stdin.isatty():
        raise UsageError("A password is typed on a terminal; without one, use --link or evenhand user link.")
    password = getpass.getpass("Password: ")
    if getpass.getpass("The same again: ") != password:
        raise UsageError("The two passwords differ; nothing was changed.")
    return password


def write_link(settings: Settings, token: str, user: UserAccount, hours: float) -> None:
    from evenhand.accounts.sign_in import link_address

    write_stderr(f"For {user.login}, once, within {hours:g} hour{'' if hours == 1 else 's'}:")
    write_stdout(link_address(settings, token) + "\n")


def summary(user: UserAccount) -> dict[str, object]:
    return {
        "id": user.id,
        "login": user.login,
        "name": user.name,
        "role": user.role,
        "disabled": user.disabled,
        "has_password": user.has_password,
        "created": user.created.isoformat(),
    }


def users_table(users: list[UserAccount]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading in ("Login", "Name", "Role", "Since", ""):
        table.add_column(heading, no_wrap=heading != "Name")
    for user in users:
        state = "disabled" if user.disabled else "" if user.has_password else "no password"
        cells = (printable(user.login), printable(user.name), user.role, f"{user.created:%Y-%m-%d}", state)
        table.add_row(*map(Text, cells[:-1]), Text(state, style="dim"))
    return table
