"""`evenhand serve`: the screening application for a team, on what the settings name."""

from __future__ import annotations

import errno
import signal
import socket
from dataclasses import replace
from types import FrameType
from typing import Annotated

from evenhand.cli import options as opt
from evenhand.cli.options import load
from evenhand.cli.terminal import write_stderr
from evenhand.errors import UsageError
from evenhand.settings import LoadedSettings, Settings

LOCAL = frozenset({"127.0.0.1", "::1", "localhost"})

Host = Annotated[str, opt.option("--host HOST", "Address to listen on; 0.0.0.0 for the whole network.")]
Processes = Annotated[int, opt.option("--processes N", "How many processes answer requests.", min=1, max=64)]


def serve(host: Host = "127.0.0.1", port: opt.Port = 8000, processes: Processes = 1, set_: opt.Set = None) -> None:
    """Serve the screening application until Ctrl-C: jobs, imports, screening, decisions, ledger.

    It needs a user: evenhand user add LOGIN --role admin makes the first one. Beyond this machine, put a proxy with
    TLS in front and set the address under which people reach it.

    Examples:

    - evenhand serve
    - evenhand serve --port 8080
    - evenhand serve --host 0.0.0.0 --set address=https://hiring.example.com
    """
    loaded = load(set_)
    settings = reached_at(loaded, host, port)
    from evenhand.documents.reading import find_confinement_gap

    find_confinement_gap(settings)  # logs it
    check_port(host, port)
    # Settings that cannot work are told now, and not to the first person who wants to sign in.
    from evenhand.accounts.single_sign_on import open_single_sign_on

    provider = open_single_sign_on(settings)
    if provider:
        provider.close()
    from evenhand.screening.service import open_service

    with open_service(settings) as service:
        if not any(not user.disabled for user in service.store.accounts.all()):
            raise UsageError("Nobody could sign in yet. Make the first user: evenhand user add LOGIN --role admin")
    _ = settings.proxy_networks  # said now, like a port that is taken
    for line in warnings(loaded, settings, host):
        write_stderr(line)
    from evenhand.web.app import serve as serve_pages

    write_stderr(f"Evenhand is at {settings.origin} (Ctrl-C stops it).")
    signal.signal(signal.SIGTERM, _interrupt)
    serve_pages(settings, host=host, port=port, processes=processes)
    write_stderr("Stopped.")


def reached_at(loaded: LoadedSettings, host: str, port: int) -> Settings:
    """Links begin with where the server listens, unless somebody has said how people reach it."""
    if loaded.origins["address"] != "default":
        return loaded.settings
    name = f"[{host}]" if ":" in host else host
    return replace(loaded.settings, address=f"http://{name}:{port}")


def check_port(host: str, port: int) -> None:
    """A UsageError in words where nothing can listen; a server would only find out after it has opened everything."""
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise UsageError(f"{host!r} is no address of this machine.") from error
    family, kind, protocol, _, address = addresses[0]
    with socket.socket(family, kind, protocol) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(address)
            listener.listen(1)
        except OSError as error:
            raise UsageError(_refusal(error, host, port)) from error


def warnings(loaded: LoadedSettings, settings: Settings, host: str) -> list[str]:
    sentences = []
    if settings.address.startswith("https:") and not settings.trusted_proxies:
        sentences.append(
            "Warning: the setting trusted_proxies does not name the proxy in front of this server. Everybody seems to "
            "come from its address, and a stranger who guesses passwords makes all who sign in wait."
        )
    if host in LOCAL:
        return sentences
    if settings.address.startswith("http:"):
        sentences.append(
            "Warning: passwords and resumes will cross the network unprotected. Put a proxy with TLS in front and "
            "set address to https://..."
        )
    if loaded.origins["address"] == "default":
        sentences.append(
            "Warning: the setting address does not say under which name people reach this server; requests to "
            "other names than this machine's own are refused."
        )
    return sentences


def _refusal(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} on {host} is taken by another program; choose another one with --port."
    if error.errno == errno.EACCES:
        return f"Port {port} is reserved for the system; choose one above 1023 with --port."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host!r} is no address of this machine."
    return f"Nothing can listen on {host}, port {port}: {error.strerror}."


def _interrupt(number: int, frame: FrameType | None) -> None:
    """A service manager's polite request is treated as Ctrl-C: requests are finished, the ledger is signed."""
    raise KeyboardInterrupt
