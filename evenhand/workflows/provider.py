"""The provider of single sign-on: where it sends people, what it is asked, and when it is believed (OpenID Connect)."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import httpx
from authlib.oauth2.auth import ClientAuth
from authlib.oauth2.rfc6749.parameters import prepare_grant_uri, prepare_token_request
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import ECKey, KeySet, RSAKey
from joserfc.jws import JWSRegistry

from evenhand.errors import SignInRefused
from evenhand.workflows.provider_fetch import fetch, is_secure, unreachable

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
LEAST_RSA_BITS = 2048
UNTRUSTED = "The provider's answer could not be trusted, so nobody was let in; start again."

log = logging.getLogger(__name__)


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
    def __init__(
        self, issuer: str, client: Client, http: httpx.Client, clock: Callable[[], datetime]
    ) -> None:
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
            self._check(signed, nonce, access if isinstance(access, str) else None)
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

    def _check(self, signed: jwt.Token, nonce: str, access: str | None) -> None:
        options = {
            "iss": {"essential": True, "value": self.issuer},
            "aud": {"essential": True, "value": self._client.id},
            "sub": {"essential": True},
        }
        params = {"nonce": nonce, "client_id": self._client.id, "access_token": access}
        claims = CodeIDToken(signed.claims, signed.header, options, params)
        claims.validate(now=int(self._clock().timestamp()), leeway=LEEWAY_SECONDS)

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
            return key if key.raw_value.key_size >= LEAST_RSA_BITS else None
    except (JoseError, ValueError, TypeError, KeyError):
        log.warning(
            "Single sign-on: the provider publishes a key that cannot be read: %s.", json.dumps(data)[:200]
        )
    return None
