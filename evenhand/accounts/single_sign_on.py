"""Single sign-on: to the provider and back, with code, PKCE, state and nonce; and who that is in this house."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
from authlib.oauth2.auth import ClientAuth
from authlib.oauth2.rfc6749.parameters import prepare_grant_uri, prepare_token_request
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import ECKey, KeySet, RSAKey
from joserfc.jws import JWSRegistry

from evenhand.accounts.sign_in import is_sample
from evenhand.errors import SignInRefused, UsageError
from evenhand.records.event import SYSTEM
from evenhand.settings import Settings
from evenhand.store.accounts import UserAccount, new_secret
from evenhand.store.base import utc_now
from evenhand.store.sign_in import PendingSignIn
from evenhand.store.store import Store

# Asking the provider of single sign-on: over a secure line, within limits of size and time, with an answer in
# JSON.

LIMIT_BYTES = 500_000
OPERATION_SECONDS = 5.0  # to connect, to send, to wait for the next bytes
ALL_SECONDS = 10.0  # else a few bytes now and then would keep us waiting for ever
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
UNREACHABLE = "The provider of single sign-on does not answer as it should; try again a little later."

log = logging.getLogger(__name__)


def new_http() -> httpx.Client:
    """Follows no redirect: the provider's addresses are in its metadata, and nowhere else."""
    headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
    return httpx.Client(timeout=OPERATION_SECONDS, follow_redirects=False, headers=headers)


def is_secure(address: str) -> bool:
    """Over TLS, or on this machine, where nobody listens on the line."""
    parts = urlsplit(address)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)


def fetch(
    http: httpx.Client, method: str, address: str, *, body: str | None = None, headers: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The JSON object there, or SignInRefused; why is told to the log, not to strangers."""
    if not is_secure(address):
        raise unreachable("an address is neither https nor on this machine")
    deadline = time.monotonic() + ALL_SECONDS
    try:
        with http.stream(method, address, content=body, headers=dict(headers or {})) as response:
            if response.status_code != httpx.codes.OK:
                raise unreachable(f"{_place(address)} answers {response.status_code}")
            if response.headers.get("content-encoding", "identity") != "identity":
                raise unreachable(f"{_place(address)} answers packed, which was not asked for")
            read = bytearray()
            for chunk in response.iter_raw():
                read += chunk
                if len(read) > LIMIT_BYTES:
                    raise unreachable(f"{_place(str(response.url))} answers with more than {LIMIT_BYTES:,} bytes")
                if time.monotonic() > deadline:
                    raise unreachable(f"{_place(str(response.url))} takes too long")
            answer = json.loads(bytes(read))
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise unreachable(f"{_place(address)}: {type(error).__name__}") from error
    except (ValueError, RecursionError) as error:
        raise unreachable(f"{_place(address)} does not answer in JSON") from error
    if not isinstance(answer, dict):
        raise unreachable(f"{_place(address)} does not answer with an object")
    return answer


def unreachable(reason: str) -> SignInRefused:
    log.warning("Single sign-on: %s.", reason)
    return SignInRefused(UNREACHABLE)


def _place(address: str) -> str:
    """Without what follows the path: it may hold a code."""
    parts = urlsplit(address)
    return f"{parts.netloc}{parts.path}"


# The provider of single sign-on: where it sends people, what it is asked, and when it is believed (OpenID
# Connect).

ALGORITHMS = ("RS256", "ES256")
"""Signatures that need the provider's private key. `none` needs no key, and HS256 one that we would have too."""


class Signatures(JWSRegistry):
    """Header fields that mean nothing to us are passed over, as RFC 7515 wants it, within a limit."""

    max_header_length = 4_096


SIGNATURES = Signatures(algorithms=ALGORITHMS, strict_check_header=False)
SCOPES = "openid email profile"
KEPT_FOR = timedelta(hours=1)  # metadata and keys
KEYS_AGAIN_AFTER = timedelta(minutes=1)  # a made-up key id must not make us ask each time
LEEWAY_SECONDS = 60  # clocks differ
MIN_RSA_BITS = 2048
UNTRUSTED = "The provider's answer could not be trusted, so nobody was let in; start again."


@dataclass(frozen=True, slots=True)
class Client:
    """What the provider knows of us."""

    id: str
    secret: str = field(repr=False)
    redirect: str


@dataclass(frozen=True, slots=True)
class Metadata:
    authorization: str
    token: str
    keys: str
    names_itself: bool  # RFC 9207: the answer to the browser says whose it is
    takes_secret_in_body: bool


class Provider:
    def __init__(self, issuer: str, client: Client, http: httpx.Client, clock: Callable[[], datetime]) -> None:
        self.issuer = issuer
        self._client = client
        self._http = http
        self._clock = clock
        self._metadata: tuple[datetime, Metadata] | None = None
        self._keys: tuple[datetime, KeySet] | None = None

    def close(self) -> None:
        self._http.close()

    def authorization_address(self, *, state: str, nonce: str, verifier: str) -> str:
        """Where the browser is sent."""
        address: str = prepare_grant_uri(
            self.metadata().authorization,
            client_id=self._client.id,
            response_type="code",
            redirect_uri=self._client.redirect,
            scope=SCOPES,
            state=state,
            nonce=nonce,
            code_challenge=create_s256_code_challenge(verifier),
            code_challenge_method="S256",
        )
        return address

    def check_sender(self, named: str | None) -> None:
        """Against mix-up: an answer that says it is another provider's, or does not say whose though ours would."""
        if named != self.issuer and (named is not None or self.metadata().names_itself):
            raise untrusted("the answer is not this provider's")

    def claims(self, code: str, *, verifier: str, nonce: str) -> dict[str, Any]:
        """What the provider says of the person who came with this code."""
        answer = self._exchange(code, verifier)
        token, access = answer.get("id_token"), answer.get("access_token")
        if not isinstance(token, str):
            raise untrusted("there is no ID token")
        try:
            signed = self._verified(token)
            access = access if isinstance(access, str) else None
            options = {
                "iss": {"essential": True, "value": self.issuer},
                "aud": {"essential": True, "value": self._client.id},
                "sub": {"essential": True},
            }
            params = {"nonce": nonce, "client_id": self._client.id, "access_token": access}
            claims = CodeIDToken(signed.claims, signed.header, options, params)
            claims.validate(now=int(self._clock().timestamp()), leeway=LEEWAY_SECONDS)
        except (JoseError, ValueError, TypeError) as error:
            raise untrusted(f"the ID token is refused, {type(error).__name__}: {error}") from error
        return dict(signed.claims)

    def metadata(self) -> Metadata:
        now = self._clock()
        if self._metadata is None or now - self._metadata[0] >= KEPT_FOR:
            self._metadata = now, self._read_metadata()
        return self._metadata[1]

    def _read_metadata(self) -> Metadata:
        answer = fetch(self._http, "GET", self.issuer.rstrip("/") + "/.well-known/openid-configuration")
        if answer.get("issuer") != self.issuer:
            raise unreachable("its metadata name another issuer than the setting oidc_issuer does")
        methods = answer.get("token_endpoint_auth_methods_supported")
        return Metadata(
            authorization=_address(answer, "authorization_endpoint"),
            token=_address(answer, "token_endpoint"),
            keys=_address(answer, "jwks_uri"),
            names_itself=answer.get("authorization_response_iss_parameter_supported") is True,
            takes_secret_in_body=isinstance(methods, list) and "client_secret_post" in methods,
        )

    def _exchange(self, code: str, verifier: str) -> dict[str, Any]:
        metadata = self.metadata()
        body = prepare_token_request(
            "authorization_code", redirect_uri=self._client.redirect, code=code, code_verifier=verifier
        )
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        # In the body no two opinions exist on how to write a secret with a colon or a percent sign in it.
        way = "client_secret_post" if metadata.takes_secret_in_body else "client_secret_basic"
        signed = ClientAuth(self._client.id, self._client.secret, way if self._client.secret else "none")
        address, headers, body = signed.prepare("POST", metadata.token, headers, body)
        return fetch(self._http, "POST", address, body=body, headers=headers)

    def _verified(self, token: str) -> jwt.Token:
        try:
            return jwt.decode(token, self._key_set(), registry=SIGNATURES)
        except InvalidKeyIdError:  # it may have changed its keys
            return jwt.decode(token, self._key_set(older_than=KEYS_AGAIN_AFTER), registry=SIGNATURES)

    def _key_set(self, *, older_than: timedelta = KEPT_FOR) -> KeySet:
        now = self._clock()
        if self._keys is None or now - self._keys[0] >= older_than:
            self._keys = now, _key_set(fetch(self._http, "GET", self.metadata().keys))
        return self._keys[1]


def _address(answer: dict[str, Any], name: str) -> str:
    address = answer.get(name)
    if not isinstance(address, str) or not is_secure(address):
        raise unreachable(f"its metadata have no {name}, or one that is not https")
    return address


def untrusted(reason: str) -> SignInRefused:
    log.warning("Single sign-on: %s.", reason)
    return SignInRefused(UNTRUSTED)


def _key_set(answer: dict[str, Any]) -> KeySet:
    listed = answer.get("keys")
    if not isinstance(listed, list):
        raise unreachable("it publishes no keys")
    return KeySet([key for data in listed if (key := _key(data)) is not None])


def _key(data: Any) -> RSAKey | ECKey | None:
    """Public keys for signatures; any other kind is passed over, as one that is too short to be safe."""
    if not isinstance(data, dict) or data.get("use", "sig") != "sig":
        return None
    try:
        if data.get("kty") == "EC":
            return ECKey.import_key(data)
        if data.get("kty") == "RSA":
            key = RSAKey.import_key(data)
            return key if key.raw_value.key_size >= MIN_RSA_BITS else None
    except (JoseError, ValueError, TypeError, KeyError):
        log.warning("Single sign-on: the provider publishes a key that cannot be read: %s.", json.dumps(data)[:200])
    return None


RETURN_PATH = "/sso/return"
"""To be registered with the provider, after the setting `address`."""
SUBJECT_LENGTH = 255  # OpenID Connect Core, 2
SECRET_LENGTH = 10_000
TARGET_LENGTH = 2_000

STALE = "This sign-in was begun in another browser or too long ago; start again."
DENIED = "The provider did not let you in."
UNKNOWN = "The provider knows you, but you have no account here; ask an administrator for one."
ELSEWHERE = "Only people with an e-mail address of this organisation are let in."


@dataclass(frozen=True, slots=True)
class Redirect:
    """Send the browser to `url`, with `browser` in a cookie that scripts cannot read and lasts ten minutes."""

    url: str
    browser: str


@dataclass(frozen=True, slots=True)
class SingleSignOnResult:
    """Somebody came back and is in: the token of their session, who they are, and the page they had asked for."""

    token: str
    user: UserAccount
    target: str


class SingleSignOn:
    """Made once, when a server starts: it remembers the provider's metadata and keys for an hour."""

    def __init__(self, settings: Settings, provider: Provider) -> None:
        self._settings = settings
        self._provider = provider
        # group=role, group=role, as the setting's pattern has it.
        pairs = (pair.partition("=") for pair in settings.oidc_roles.split(",") if pair.strip())
        self._roles = tuple((group.strip(), role.strip()) for group, _, role in pairs)

    def close(self) -> None:
        self._provider.close()

    def begin(self, store: Store, *, target: str = "/", user: str | None = None) -> Redirect:
        """With `user` the account of somebody who is signed in will be connected with theirs at the provider."""
        state, nonce, verifier, browser = (new_secret() for _ in range(4))
        url = self._provider.authorization_address(state=state, nonce=nonce, verifier=verifier)
        pending = PendingSignIn(self._provider.issuer, nonce, verifier, user, _own_page(target))
        store.identities.save_pending(state, browser, pending)
        return Redirect(url, browser)

    def finish(self, store: Store, answer: Mapping[str, str], browser: str) -> SingleSignOnResult:
        """`answer` is the query with which the browser came back, `browser` its cookie. SignInRefused in words."""
        pending = store.identities.take_pending(answer.get("state", ""), browser)
        if pending is None or pending.issuer != self._provider.issuer:
            raise SignInRefused(STALE)
        self._provider.check_sender(answer.get("iss"))
        if "error" in answer:
            raise SignInRefused(DENIED)
        if not answer.get("code"):
            raise untrusted("there is no code")
        claims = self._provider.claims(answer["code"], verifier=pending.verifier, nonce=pending.nonce)
        user = self._admit(store, claims, pending.user)
        return SingleSignOnResult(store.sessions.open(user.id), user, pending.target)

    def _admit(self, store: Store, claims: dict[str, Any], connecting: str | None) -> UserAccount:
        """By issuer and subject, never by e-mail address: those change hands."""
        subject = str(claims["sub"])
        if not 0 < len(subject) <= SUBJECT_LENGTH or not (subject.isascii() and subject.isprintable()):
            raise untrusted("the subject is none: it has up to 255 ASCII characters")
        domain = self._settings.oidc_email_domain.casefold()
        if domain and _verified_email(claims).casefold().rpartition("@")[2] != domain:
            raise SignInRefused(ELSEWHERE)
        if connecting is not None:
            try:
                store.identities.connect(self._provider.issuer, subject, connecting, actor=connecting)
            except UsageError as error:  # somebody else's, or disabled on the way
                raise SignInRefused(str(error)) from error
        user = store.identities.user(self._provider.issuer, subject)
        if user is None:
            return self._add(store, claims, subject)
        if user.disabled:
            raise SignInRefused(UNKNOWN)
        # Where the provider tells roles, who has left all groups stays out, and who has changed groups changes.
        if not self._settings.oidc_role_claim:
            return user
        role = self._role(claims)
        if not role:
            raise SignInRefused(UNKNOWN)
        with suppress(UsageError):  # the last admin remains one
            store.accounts.change_role(user.id, role, actor=SYSTEM)
        return store.accounts.get(user.id)

    def _role(self, claims: dict[str, Any]) -> str:
        """The role of the first group that fits, else the default; empty means: none."""
        groups = claims.get(self._settings.oidc_role_claim) if self._settings.oidc_role_claim else None
        listed = groups if isinstance(groups, list) else [groups]
        held = {group for group in listed if isinstance(group, str)}
        roles = (role for group, role in self._roles if group in held)
        return next(roles, self._settings.oidc_default_role)

    def _add(self, store: Store, claims: dict[str, Any], subject: str) -> UserAccount:
        role = self._role(claims)
        if not role:
            raise SignInRefused(UNKNOWN)
        login = _verified_email(claims) or str(claims.get("preferred_username") or "")
        try:
            return store.identities.add_user(
                self._provider.issuer,
                subject,
                login=login,
                name=str(claims.get("name") or "")[:200],
                role=role,
                actor=SYSTEM,
            )
        except UsageError as error:
            # Whoever has this login can sign in and connect the two; a stranger with the same name cannot.
            log.warning("Single sign-on: a user cannot be made for a new subject: %s", error)
            raise SignInRefused(UNKNOWN) from error


def open_single_sign_on(
    settings: Settings, *, http: httpx.Client | None = None, clock: Callable[[], datetime] = utc_now
) -> SingleSignOn | None:
    """None where no provider is set. A UsageError, when the server starts, for settings that cannot work."""
    if not settings.oidc_issuer:
        return None
    if not is_secure(settings.oidc_issuer):
        raise UsageError("Setting oidc_issuer must begin with https: what it says lets people in.")
    if not settings.oidc_client_id:
        raise UsageError("Setting oidc_client_id is missing; the provider gives one for this Evenhand.")
    if settings.oidc_role_claim and not settings.oidc_roles:
        raise UsageError("Setting oidc_role_claim needs oidc_roles, which says what group has which role.")
    secret = _secret(settings.oidc_client_secret_file)
    client = Client(settings.oidc_client_id, secret, settings.origin + RETURN_PATH)
    return SingleSignOn(settings, Provider(settings.oidc_issuer, client, http or new_http(), clock))


def _secret(file: str) -> str:
    if not file:
        return ""
    path = Path(file).expanduser()
    try:
        with path.open(encoding="utf-8") as opened:
            secret = opened.read(SECRET_LENGTH).strip()
    except OSError as error:
        raise UsageError(f"The file {path} of oidc_client_secret_file: {error.strerror}.") from error
    except ValueError as error:
        raise UsageError(f"The file {path} of oidc_client_secret_file is not text.") from error
    if not secret or is_sample(secret):
        raise UsageError(f"The file {path} holds no secret, or a sample; put in the one the provider gave.")
    return secret


def _verified_email(claims: dict[str, Any]) -> str:
    """One that the provider has checked; anyone could have typed in another."""
    email = claims.get("email")
    return email if isinstance(email, str) and claims.get("email_verified") in (True, "true") else ""


def _own_page(target: str) -> str:
    """Never an address of somebody else's server."""
    own = target.startswith("/") and not target.startswith(("//", "/\\")) and "\\" not in target
    return target if own and target.isprintable() and len(target) <= TARGET_LENGTH else "/"
