"""Every setting in one table, and where its value comes from: a TOML file, the environment, then flags."""

from __future__ import annotations

import ipaddress
import math
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_type_hints

from evenhand.errors import UsageError

PREFIX = "EVENHAND_"
CONFIG = PREFIX + "CONFIG"  # names the file, so it cannot itself be a setting
Value = int | float | str
DATA = "~/.local/share/evenhand"
PATHS = (
    *("miner_models", "data", "encoder", "removal", "lexicon", "checkpoint_file", "erasure_file"),
    "oidc_client_secret_file",
)
ORIGIN = r"https?://[^\s/?#@]+"
WEB_ADDRESS = ORIGIN + r"(/[^\s?#]*)?"


def _setting(
    default: Value,
    help: str,
    *,
    minimum: float = 0,
    choices: tuple[str, ...] = (),
    kind: str = "a path",
    pattern: str = "",
) -> Any:
    """`kind` says in words what a text must be; `pattern` is what it must match as a whole."""
    return field(
        default=default,
        metadata={"help": help, "minimum": minimum, "choices": choices, "kind": kind, "pattern": pattern},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The values in force; `Settings()` holds the defaults."""

    workers: int = _setting(0, "Files read at once, each in its own process; 0 means one per processor.")
    file_bytes: int = _setting(25_000_000, "Larger files are refused as too_large.", minimum=1)
    wall_seconds: float = _setting(18.0, "Time for one file before parse_timeout.", minimum=0.1)
    cpu_seconds: float = _setting(17.0, "Processor time for one file before parse_timeout.", minimum=1)
    memory_bytes: int = _setting(
        1_500_000_000, "Memory of one reading process before parse_memory.", minimum=100_000_000
    )
    files_per_process: int = _setting(
        1,
        "Files that one process reads, or texts that it mines, before another takes its place. With 1 no file can "
        "change what is said of another, even if it takes its process over; with 10 reading takes less processor time.",
        minimum=1,
    )
    sandbox: str = _setting(
        "warn",
        "Where the system cannot confine the processes that read files (Landlock, seccomp): warn says so, require "
        "reads no file.",
        choices=("warn", "require"),
    )
    unpacked_bytes: int = _setting(
        200_000_000, "Contents of one DOCX or ODT, unpacked, before archive_bomb.", minimum=1
    )
    pages: int = _setting(200, "Pages read of one file; what follows is left out with a warning.", minimum=1)
    ocr: str = _setting(
        "auto",
        "Program that reads scanned pages: auto uses tesseract where it is installed, else rapidocr.",
        choices=("auto", "tesseract", "rapidocr", "off"),
    )
    ocr_pages: int = _setting(10, "Scanned pages recognised in one file; what follows is left out with a warning.")
    mined_characters: int = _setting(
        200_000, "Characters of one file in which facts are looked for; the rest gets a warning.", minimum=1
    )
    miner_models: str = _setting("", "Folder of models that evenhand train miner made; empty means those that ship.")
    data: str = _setting(DATA, "Folder for what Evenhand keeps between runs.")
    database: str = _setting(
        "", "Where applications are kept: postgresql://... for teams; empty means an SQLite file in the data folder."
    )
    encoder: str = _setting(
        "", "Folder of a sentence encoder (safetensors and tokenizer.json); empty means the one that ships."
    )
    removal: str = _setting(
        "",
        "Folder written by evenhand debias fit: what it removes is removed wherever the encoder or the model that it "
        "was fitted on is used; empty means nothing is removed.",
    )
    page_models: str = _setting(
        "occupation",
        "Models whose predictions the page of a candidate can show, with spaces between: those that ship, your own "
        "by name, or folders; empty means none.",
        kind="names with spaces between",
    )
    fit_weight: float = _setting(
        0.0,
        "Points that the ranker best gives in evenhand rank for how likely the model fit_model holds a fit; the others "
        "share 100. 0 leaves the model out.",
    )
    fit_model: str = _setting(
        "fit", "Model of the task fit that evenhand rank uses where fit_weight is above 0.", kind="a name or a folder"
    )
    lexicon: str = _setting(
        "", "File of your own skills, titles and other names; empty means lexicon.tsv in the data folder."
    )
    checkpoint_file: str = _setting(
        "",
        "File that signed checkpoints of the ledger are appended to, best on another machine's disk; "
        "empty means ledger/checkpoints.jsonl in the data folder.",
    )
    checkpoint_folder: str = _setting(
        "", "Folder that gets a copy of each checkpoint, such as a share of another machine; empty means none."
    )
    checkpoint_command: str = _setting(
        "",
        "Command that gets each checkpoint on its standard input, to keep it elsewhere; empty means none.",
        kind="a command",
    )
    erasure_file: str = _setting(
        "",
        "File that erasures are written to as well, best where no backup of the database puts it back: what is "
        "restored is erased again by it; empty means ledger/erasures.jsonl in the data folder.",
    )
    rights_contact: str = _setting(
        "",
        "How applicants reach who answers for their data, such as an e-mail address; it stands on their receipts.",
        kind="a text",
    )
    address: str = _setting(
        "http://127.0.0.1:8000",
        "Address at which people reach the server; links sent to them begin with it.",
        kind="an address such as https://hiring.example.com",
        pattern=ORIGIN + "/?",
    )
    session_hours: float = _setting(
        8.0, "Hours without activity after which people have to sign in again.", minimum=0.1
    )
    session_days: float = _setting(7.0, "Days after which everybody has to sign in again, active or not.", minimum=0.1)
    oidc_issuer: str = _setting(
        "",
        "Provider of single sign-on (OpenID Connect), by its issuer; empty means none.",
        kind="an address such as https://login.example.com/realm",
        pattern=f"({WEB_ADDRESS})?",
    )
    oidc_client_id: str = _setting("", "Identifier of this Evenhand at the provider.", kind="a text")
    oidc_client_secret_file: str = _setting(
        "", "File whose only line is the secret that the provider gave; empty for a client without one."
    )
    oidc_default_role: str = _setting(
        "",
        "Role of people whom the provider knows and Evenhand does not yet; empty means they are refused.",
        choices=("", "recruiter", "auditor"),
    )
    oidc_role_claim: str = _setting(
        "", "Claim of the provider that holds a person's groups, such as groups; empty means none.", kind="a text"
    )
    oidc_roles: str = _setting(
        "",
        "Which group has which role, the first that fits: hiring-leads=admin, people-team=recruiter.",
        kind="a list such as hiring-leads=admin, people-team=recruiter",
        pattern=r"(\s*[^=,]+=\s*(recruiter|auditor|admin)\s*(,(?=.)|$))*",
    )
    oidc_email_domain: str = _setting(
        "",
        "Only people with an e-mail address in this domain are let in by the provider; empty means any.",
        kind="a domain such as example.com",
        pattern=r"([\w-]+(\.[\w-]+)+)?",
    )

    hosts: str = _setting(
        "", "Other host names the server answers to, with spaces between; * for all. That of the address always is."
    )
    trusted_proxies: str = _setting(
        "",
        "Addresses or networks of the proxies in front of the server, with spaces between: only they are believed when "
        "they name, in X-Forwarded-For, the address that somebody comes from. Empty means none is.",
        kind="addresses such as 127.0.0.1 or 10.0.0.0/8, with spaces between",
        pattern=r"[0-9a-fA-F.:/\s]*",
    )
    upload_bytes: int = _setting(
        26_000_000, "Largest request that brings files; a browser sends them one by one.", minimum=1_000_000
    )

    def anchored(self) -> Settings:
        """With all paths absolute, for a process with another working folder."""

        def absolute(path: str) -> str:
            return str(Path(path).expanduser().absolute())

        changed: dict[str, Any] = {name: absolute(path) for name in PATHS if (path := getattr(self, name))}
        for name in ("page_models", "fit_model"):  # names or folders
            models = getattr(self, name).split(" ")
            is_folder = [os.sep in model or (model and Path(model).is_dir()) for model in models]
            parts = (absolute(model) if there else model for model, there in zip(models, is_folder, strict=True))
            changed[name] = " ".join(parts)
        if self.database.startswith("sqlite:///"):
            changed["database"] = "sqlite:///" + absolute(self.database.removeprefix("sqlite:///"))
        return replace(self, **changed)

    @property
    def miner_models_path(self) -> Path | None:
        return Path(self.miner_models).expanduser() if self.miner_models else None

    @property
    def data_path(self) -> Path:
        return Path(self.data or DATA).expanduser()  # a variable set to nothing does not mean the current folder

    @property
    def database_url(self) -> str:
        """As SQLAlchemy wants it."""
        if not self.database:
            return f"sqlite:///{self.data_path / 'evenhand.db'}"
        return re.sub(r"^postgres(?:ql)?://", "postgresql+psycopg://", self.database)

    @property
    def origin(self) -> str:
        """The address as a browser names it, and other addresses begin."""
        return self.address.rstrip("/")

    @property
    def proxy_networks(self) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
        """UsageError for one that is none: it would be passed over, and nobody would know why."""
        try:
            return tuple(ipaddress.ip_network(item, strict=False) for item in self.trusted_proxies.split())
        except ValueError as error:
            raise UsageError(f"Setting trusted_proxies: {error}.") from error

    @property
    def checkpoint_path(self) -> Path:
        return Path(self.checkpoint_file or self.data_path / "ledger" / "checkpoints.jsonl").expanduser()

    @property
    def checkpoint_copy_path(self) -> Path | None:
        return Path(self.checkpoint_folder).expanduser() / "checkpoints.jsonl" if self.checkpoint_folder else None

    @property
    def keeps_checkpoints_elsewhere(self) -> bool:
        """Whether a setting says so; that the place is out of an attacker's reach nobody but its owner can know."""
        return bool(self.checkpoint_file or self.checkpoint_folder or self.checkpoint_command)

    @property
    def erasure_path(self) -> Path:
        return Path(self.erasure_file or self.data_path / "ledger" / "erasures.jsonl").expanduser()

    @property
    def signing_key_path(self) -> Path:
        return self.data_path / "ledger" / "signing.key"

    @property
    def lexicon_path(self) -> Path:
        return Path(self.lexicon or self.data_path / "lexicon.tsv").expanduser()


@dataclass(frozen=True, slots=True)
class SettingValue:
    """A value somebody set; `typed` when its source tells numbers from text, as TOML does."""

    name: str
    value: object
    origin: str
    typed: bool = False


@dataclass(frozen=True, slots=True)
class Setting:
    """One row of the table."""

    name: str
    type: type[Value]
    default: Value
    help: str
    minimum: float
    choices: tuple[str, ...]
    kind: str
    pattern: str

    @property
    def variable(self) -> str:
        return PREFIX + self.name.upper()

    @property
    def expected(self) -> str:
        if self.choices:
            return "one of " + ", ".join(choice or "nothing" for choice in self.choices)
        if self.type is str:
            return self.kind
        kind = "a whole number" if self.type is int else "a number"
        return f"{kind} of at least {self.minimum:.12g}"

    def accept(self, given: SettingValue) -> Value:
        """The value in its own type, or a UsageError that names setting, value and what would do."""
        parsed = given.value
        if isinstance(parsed, str) and not given.typed:
            parsed = self._parse(parsed)
        if self.type is float and type(parsed) is int:
            parsed = float(parsed)
        if type(parsed) is not self.type or not self._fits(parsed):
            raise UsageError(
                f"Setting {self.name} ({given.origin}) is {given.value!r}, but it must be {self.expected}."
            )
        return parsed

    def _parse(self, text: str) -> Value | None:
        try:
            return self.type(text.strip())
        except ValueError:
            return None

    def _fits(self, value: Any) -> bool:
        if self.choices:
            return value in self.choices
        if self.type is str:
            return "\0" not in value and (not self.pattern or re.fullmatch(self.pattern, value) is not None)
        return math.isfinite(value) and value >= self.minimum


def _table() -> Iterator[Setting]:
    types = get_type_hints(Settings)
    for row in fields(Settings):
        yield Setting(row.name, types[row.name], getattr(Settings(), row.name), **row.metadata)


SETTINGS: dict[str, Setting] = {setting.name: setting for setting in _table()}


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """Settings, and for each the place it came from: "default", a file, a variable or "flag"."""

    settings: Settings
    origins: Mapping[str, str]


def load_settings(
    flags: Mapping[str, object] | None = None, *, environment: Mapping[str, str] | None = None
) -> LoadedSettings:
    """Later sources win: defaults, file, environment, flags (a flag that is None was not given)."""
    environment = os.environ if environment is None else environment
    values: dict[str, Value] = {}
    origins = dict.fromkeys(SETTINGS, "default")
    given = [
        *_from_file(_find_file(environment)),
        *_from_environment(environment),
        *(SettingValue(name, value, "flag") for name, value in (flags or {}).items() if value is not None),
    ]
    for item in given:
        values[item.name] = _known(item).accept(item)
        origins[item.name] = item.origin
    return LoadedSettings(Settings(**values), origins)  # type: ignore[arg-type]


def _known(given: SettingValue) -> Setting:
    if given.name in SETTINGS:
        return SETTINGS[given.name]
    close = get_close_matches(given.name, SETTINGS, n=1)
    hint = f"did you mean {close[0]}?" if close else f"the settings are {', '.join(SETTINGS)}."
    raise UsageError(f"There is no setting {given.name!r} ({given.origin}); {hint}")


def _find_file(environment: Mapping[str, str]) -> Path | None:
    """Never the current folder: it may hold strangers' files, one of which could lift the limits."""
    if named := environment.get(CONFIG):
        return Path(named)
    home = environment.get("XDG_CONFIG_HOME") or Path(environment.get("HOME", "/"), ".config")
    path = Path(home, "evenhand", "evenhand.toml")
    return path if path.is_file() else None


def _from_file(path: Path | None) -> Iterator[SettingValue]:
    if path is None:
        return
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"The settings file {path} cannot be read: {error.strerror}.") from error
    except ValueError as error:  # not TOML, or not UTF-8
        raise UsageError(f"The settings file {path} is not valid TOML: {error}.") from error
    yield from (SettingValue(name, value, str(path), typed=True) for name, value in table.items())


def _from_environment(environment: Mapping[str, str]) -> Iterator[SettingValue]:
    for variable in sorted(environment):
        name = variable.removeprefix(PREFIX).lower()
        if variable.startswith(PREFIX) and variable != CONFIG:
            yield SettingValue(name, environment[variable], variable)
