"""Single sign-on against a provider that really runs: who gets in as whom, and every way to cheat that is known."""

from __future__ import annotations

import base64
import hmac
import json
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from joserfc import jws, jwt
from joserfc.jwk import ECKey, RSAKey

from evenhand.accounts import single_sign_on
from evenhand.accounts import single_sign_on as provider_fetch
from evenhand.accounts.single_sign_on import (
    DENIED,
    ELSEWHERE,
    STALE,
    UNKNOWN,
    UNREACHABLE,
    UNTRUSTED,
    SingleSignOn,
    SingleSignOnResult,
    open_single_sign_on,
)
from evenhand.errors import SignInRefused, UsageError
from evenhand.settings import Settings
from evenhand.store.base import utc_now
from evenhand.store.store import Store
from tests.accounts.provider import CLIENT, RETURN, SECRET, Claims, LocalProvider, serving, visit

PERSON = {"sub": "17", "email": "Ada@Example.com", "email_verified": True, "name": "Ada Brent"}
NOTHING: dict[str, str] = {}


@pytest.fixture(scope="module")
def running() -> Iterator[LocalProvider]:
    with serving() as provider:
        yield provider


@pytest.fixture
def provider(running: LocalProvider) -> LocalProvider:
    """As it was when it started."""
    running.person, running.metadata, running.also = dict(PERSON), {}, []
    running.forge = running.answer = None
    running.asked.clear()
    running.ways.clear()
    return running


@pytest.fixture
def store(database_url: str, tmp_path: Path) -> Iterator[Store]:
    with Store.open(database_url, files=tmp_path / "files") as opened:
        yield opened


@pytest.fixture
def plain(tmp_path: Path) -> Iterator[Store]:
    """Where the database makes no difference."""
    with Store.open(f"sqlite:///{tmp_path / 'plain.db'}", files=tmp_path / "files") as opened:
        yield opened


@pytest.fixture
def configured(provider: LocalProvider, tmp_path: Path) -> Iterator[Callable[..., SingleSignOn]]:
    (tmp_path / "secret").write_text(SECRET + "\n")

    def make(*, clock: Callable[[], datetime] = utc_now, **changes: Any) -> SingleSignOn:
        values = {
            "oidc_issuer": provider.issuer,
            "oidc_client_id": CLIENT,
            "oidc_client_secret_file": str(tmp_path / "secret"),
            "oidc_default_role": "recruiter",
        }
        made = open_single_sign_on(Settings(**{**values, **changes}), clock=clock)
        assert made is not None
        opened.append(made)
        return made

    opened: list[SingleSignOn] = []
    yield make
    for single in opened:
        single.close()


def go(single: SingleSignOn, store: Store, **options: Any) -> SingleSignOnResult:
    redirect = single.begin(store, **options)
    return single.finish(store, visit(redirect.url), redirect.browser)


def refusal(single: SingleSignOn, store: Store, **options: Any) -> str:
    with pytest.raises(SignInRefused) as caught:
        go(single, store, **options)
    return str(caught.value)


def test_whom_the_provider_knows_gets_an_account_and_keeps_it(
    store: Store, provider: LocalProvider, configured: Callable[..., SingleSignOn]
) -> None:
    single = configured()
    first = go(single, store, target="/jobs?page=2")
    assert (first.user.login, first.user.name, first.user.role) == ("ada@example.com", "Ada Brent", "recruiter")
    assert first.target == "/jobs?page=2"
    assert store.sessions.user(first.token) == first.user
    provider.person["email"] = "ada.lee@example.com"  # the subject counts, not the address
    second = go(single, store)
    assert second.user == first.user
    assert second.token != first.token
    provider.person["sub"] = "18"
    assert go(single, store).user.login == "ada.lee@example.com"
    assert provider.ways == ["basic"] * 3
    changes = [event.body["change"] for event in store.ledger.events(kinds=["account"])]
    assert changes == ["created", "connected"] * 2


def test_strangers_stay_out_unless_a_role_is_set_for_them(
    store: Store, configured: Callable[..., SingleSignOn]
) -> None:
    single = configured(oidc_default_role="")
    assert refusal(single, store) == UNKNOWN
    assert store.accounts.all() == []
    ada = store.accounts.add("ada@example.com", "Ada", "auditor", actor="root")
    assert refusal(single, store) == UNKNOWN  # an address alone is no proof
    assert go(single, store, user=ada.id).user == ada  # begun by herself, signed in
    assert go(single, store).user == ada
    store.accounts.disable(ada.id, actor="root")
    assert refusal(single, store) == UNKNOWN


def test_a_login_that_is_taken_is_not_handed_over(store: Store, configured: Callable[..., SingleSignOn]) -> None:
    boss = store.accounts.add("ada@example.com", "The boss", "admin", actor="root")
    assert refusal(configured(), store) == UNKNOWN
    assert store.accounts.all() == [boss]


def test_an_identity_is_connected_with_one_user_only(store: Store, configured: Callable[..., SingleSignOn]) -> None:
    single = configured()
    ada, bo = (store.accounts.add(login, "", "recruiter", actor="root") for login in ("ada", "bo"))
    assert go(single, store, user=ada.id).user == ada
    told = refusal(single, store, user=bo.id)
    assert told == "This account of the provider is connected to another user already."


def test_groups_of_the_provider_give_roles(
    store: Store, provider: LocalProvider, configured: Callable[..., SingleSignOn]
) -> None:
    single = configured(
        oidc_default_role="",
        oidc_role_claim="groups",
        oidc_roles="house keepers = admin, checkers=auditor,people=recruiter",
    )
    roles = []
    for groups in (["people"], ["people", "checkers"], "checkers", ["house keepers"], ["people"]):
        provider.person["groups"] = groups
        roles.append(go(single, store).user.role)
    assert roles == ["recruiter", "auditor", "auditor", "admin", "admin"]  # the last admin remains one
    store.accounts.add("another", "", "admin", actor="root")
    assert go(single, store).user.role == "recruiter"
    for none in ([], ["visitors"], None, {"people": 1}, [["people"]], 7):
        provider.person["groups"] = none
        assert refusal(single, store) == UNKNOWN


def test_only_checked_addresses_of_the_own_domain(
    plain: Store, provider: LocalProvider, configured: Callable[..., SingleSignOn]
) -> None:
    single = configured(oidc_email_domain="Example.com")
    for email, verified in (
        ("ada@example.com", False),
        ("ada@example.com", None),
        ("ada@example.com.example.net", True),
        ("ada@sub.example.com", True),
        ("ada@example.com@example.net", True),
        (None, True),
        (["ada@example.com"], True),
    ):
        provider.person |= {"email": email, "email_verified": verified}
        assert refusal(single, plain) == ELSEWHERE
    provider.person |= {"email": "ada@EXAMPLE.com", "email_verified": True}
    assert go(single, plain).user.login == "ada@example.com"


def test_without_a_checked_address_the_user_name_is_the_login(
    plain: Store, provider: LocalProvider, configured: Callable[..., SingleSignOn]
) -> None:
    provider.person |= {"email_verified": False, "preferred_username": "abrent", "name": None}
    user = go(configured(), plain).user
    assert (user.login, user.name) == ("abrent", "abrent")
    provider.person |= {"sub": "18", "preferred_username": None}
    assert refusal(configured(), plain) == UNKNOWN


def encoded(value: Claims) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def signed(**changes: Any) -> Callable[[LocalProvider, Claims], str]:
    """By the provider itself, with other claims; None takes one away."""

    def make(provider: LocalProvider, claims: Claims) -> str:
        kept = {**claims, **changes}
        return provider.sign({name: value for name, value in kept.items() if value is not None})

    return make


def unsigned(provider: LocalProvider, claims: Claims) -> str:
    return f"{encoded({'alg': 'none'})}.{encoded(claims)}."


def with_public_key(provider: LocalProvider, claims: Claims) -> str:
    """HS256, with what everyone can read as its secret."""
    head = f"{encoded({'alg': 'HS256', 'kid': provider.key.kid})}.{encoded(claims)}"
    mark = hmac.digest(provider.key.as_pem(private=False), head.encode(), "sha256")
    return f"{head}.{base64.urlsafe_b64encode(mark).decode().rstrip('=')}"


def with_other_key(provider: LocalProvider, claims: Claims) -> str:
    other = RSAKey.generate_key(2048, {"kid": str(provider.key.kid)})
    return jwt.encode({"alg": "RS256", "kid": str(other.kid)}, claims, other)


def with_unknown_key(provider: LocalProvider, claims: Claims) -> str:
    other = RSAKey.generate_key(2048, {"kid": "mine"})
    return jwt.encode({"alg": "RS256", "kid": "mine"}, claims, other)


def with_key_in_header(provider: LocalProvider, claims: Claims) -> str:
    other = RSAKey.generate_key(2048)
    header = {"alg": "RS256", "jwk": other.as_dict(private=False)}
    return jwt.encode(header, claims, other)


def changed_afterwards(provider: LocalProvider, claims: Claims) -> str:
    head, _, signature = provider.sign(claims).split(".")
    return f"{head}.{encoded({**claims, 'sub': '1'})}.{signature}"


NOW = int(time.time())
ATTACKS: dict[str, tuple[Callable[[LocalProvider, Claims], str], str]] = {
    "wrong nonce": (signed(nonce="another"), "'nonce'"),
    "no nonce": (signed(nonce=None), "'nonce'"),
    "wrong audience": (signed(aud="another client"), "'aud'"),
    "no audience": (signed(aud=None), "'aud'"),
    "several audiences, made for another": (signed(aud=[CLIENT, "another"], azp="another"), "'azp'"),
    "several audiences, not said for whom": (signed(aud=[CLIENT, "another"]), "'azp'"),
    "expired": (signed(exp=NOW - 3600), "ExpiredToken"),
    "never expires": (signed(exp=None), "'exp'"),
    "from the future": (signed(iat=NOW + 3600), "issued in the future"),
    "other issuer": (signed(iss="https://other.example.com"), "'iss'"),
    "no issuer": (signed(iss=None), "'iss'"),
    "no subject": (signed(sub=None), "'sub'"),
    "subject of another kind": (signed(sub=17), "'sub'"),
    "empty subject": (signed(sub=""), "'sub'"),
    "endless subject": (signed(sub="1" * 256), "subject"),
    "subject with a hidden character": (signed(sub="17\0"), "subject"),
    "another access token": (signed(at_hash="c29tZXRoaW5nIGVsc2U"), "'at_hash'"),
    "algorithm none": (unsigned, "Algorithm"),
    "HS256 with the public key": (with_public_key, "Algorithm"),
    "another key under the same id": (with_other_key, "BadSignature"),
    "a key nobody published": (with_unknown_key, "InvalidKeyId"),
    "its own key in the header": (with_key_in_header, "BadSignature"),
    "changed after it was signed": (changed_afterwards, "BadSignature"),
    "no token at all": (lambda *_: "", "Decode"),
    "five parts": (lambda *_: "a.b.c.d.e", "Decode"),
    "signed, but no JSON": (
        lambda provider, _: jws.serialize_compact({"alg": "RS256", "kid": "first"}, b"{", provider.key),
        "InvalidPayload",
    ),
}


def test_forged_tokens_let_nobody_in(
    plain: Store, provider: LocalProvider, configured: Callable[..., SingleSignOn], caplog: pytest.LogCaptureFixture
) -> None:
    """Each for its own reason, which the log tells and the stranger is not told."""
    single = configured()
    reasons = {}
    for name, (forge, _) in ATTACKS.items():
        provider.forge = forge
        caplog.clear()
        assert refusal(single, plain) == UNTRUSTED, name
        reasons[name] = caplog.text
    missing = {name for name, (_, reason) in ATTACKS.items() if reason not in reasons[name]}
    assert not missing, {name: reasons[name] for name in missing}
    assert plain.accounts.all() == []
    provider.forge = None
    assert go(single, plain).user.login == "ada@example.com"


def test_header_fields_nobody_knows_do_no_harm(
    plain: Store, provider: LocalProvider, configured: Callable[..., SingleSignOn]
) -> None:
    provider.forge = lambda provider, claims: provider.sign(claims, rh="0.A", x5t="x" * 600)
    assert go(configured(), plain).user.login == "ada@example.com"
    provider.forge = lambda provider, claims: provider.sign(claims, rh="x" * 5_000)
    assert refusal(configured(), plain) == UNTRUSTED


def test_an_answer_works_once_and_in_the_browser_it_was_begun_in(
    store: Store, configured: Callable[..., SingleSignOn]
) -> None:
    single = configured()
    redirect = single.begin(store)
    answer = visit(redirect.url)
    for wrong, browser in (
        (answer, "another browser"),  # somebody else's answer slipped to a victim
        (answer, ""),
        ({**answer, "state": "made up"}, redirect.browser),
        (NOTHING, redirect.browser),
    ):
        with pytest.raises(SignInRefused, match=STALE):
            single.finish(store, wrong, browser)
    assert single.finish(store, answer, redirect.browser).user.login == "ada@example.com"
    with pytest.raises(SignInRefused, match=STALE):
        single.finish(store, answer, redirect.browser)


def test_a_code_of_one_sign_in_is_worth_nothing_in_another(
    plain: Store, configured: Callable[..., SingleSignOn]
) -> None:
    """A stolen code, put in one's own answer: the provider sees by PKCE that it was not ours."""
    single = configured()
    stolen = visit(single.begin(plain).url)["code"]
    mine = single.begin(plain)
    answer = {**visit(mine.url), "code": stolen}
    with pytest.raises(SignInRefused, match=UNREACHABLE):
        single.finish(plain, answer, mine.browser)
    assert plain.accounts.all() == []


def test_an_answer_of_another_provider_is_not_taken_for_ours(
    plain: Store, provider: LocalProvider, configured: Callable[..., SingleSignOn]
) -> None:
    """Mix-up: the code would be carried to the wrong place."""
    single = configured()
    for named in ("https://other.example.com", "", None):
        redirect = single.begin(plain)
        answer = visit(redirect.url)
        del answer["iss"]
        with pytest.raises(SignInRefused, match=UNTRUSTED):
            single.finish(plain, answer if named is None else {**answer, "iss": named}, redirect.browser)
    assert provider.ways == []  # no code was shown to anyone
    provider.metadata = {"authorization_response_iss_parameter_supported": False}
    single = configured()
    redirect = single.begin(plain)
    answer = visit(redirect.url)
    del answer["iss"]
    assert single.finish(plain, answer, redirect.browser).user.login == "ada@example.com"


def test_a_sign_in_begun_with_one_provider_does_not_end_with_the_next(
    plain: Store, provider: LocalProvider, configured: Callable[..., SingleSignOn]
) -> None:
    redirect = configured().begin(plain)
    answer = visit(redirect.url)
    with serving() as other, pytest.raises(SignInRefused, match=STALE):
        configured(oidc_issuer=other.issuer).finish(plain, answer, redirect.browser)


def test_who_is_not_let_in_by_the_provider_is_told_so(
    plain: Store, provider: LocalProvider, configured: Callable[..., SingleSignOn]
) -> None:
    single = configured()
    for answer, sentence in (({"error": "access_denied"}, DENIED), (NOTHING, UNTRUSTED)):
        redirect = single.begin(plain)
        state = visit(redirect.url)["state"]
        back = {"state": state, "iss": provider.issuer, **answer}
        with pytest.raises(SignInRefused, match=sentence):
            single.finish(plain, back, redirect.browser)


def test_only_pages_of_our_own_are_gone_back_to(plain: Store, configured: Callable[..., SingleSignOn]) -> None:
    single = configured()
    elsewhere = ("//evil.example", "/\\evil.example", "https://evil.example", "/a\\b", "/a\nb", "/" + "x" * 2000)
    assert {go(single, plain, target=target).target for target in elsewhere} == {"/"}


def test_new_keys_are_fetched_when_a_token_names_one(
    plain: Store, provider: LocalProvider, configured: Callable[..., SingleSignOn]
) -> None:
    moved = timedelta()
    single = configured(clock=lambda: utc_now() + moved)
    old = provider.key
    try:
        go(single, plain)
        provider.key = ECKey.generate_key("P-256", {"kid": "second"})
        assert refusal(single, plain) == UNTRUSTED  # asked a moment ago
        moved = timedelta(seconds=61)
        provider.forge = signed(iat=NOW, exp=NOW + 3600)
        assert go(single, plain).user.login == "ada@example.com"
        assert go(single, plain).user.login == "ada@example.com"
        assert provider.asked.count("keys") == 2
        assert provider.asked.count("metadata") == 1
        moved = timedelta(hours=1)
        provider.forge = signed(iat=NOW, exp=NOW + 36000)
        go(single, plain)
        assert (provider.asked.count("keys"), provider.asked.count("metadata")) == (2, 2)
    finally:
        provider.key = old


@pytest.mark.parametrize("methods", [["client_secret_post", "client_secret_basic"], ["client_secret_basic"], None])
def test_the_secret_goes_as_the_provider_wants_it(
    plain: Store, provider: LocalProvider, configured: Callable[..., SingleSignOn], methods: list[str] | None
) -> None:
    provider.metadata = {"token_endpoint_auth_methods_supported": methods}
    go(configured(), plain)
    assert provider.ways == ["body" if methods and len(methods) == 2 else "basic"]


def endless() -> Response:
    return StreamingResponse((b'"' + b"x" * 10_000 for _ in range(1_000)), media_type="application/json")


def slow() -> Response:
    def drops() -> Iterator[bytes]:
        for _ in range(40):
            time.sleep(0.05)
            yield b" "

    return StreamingResponse(drops(), media_type="application/json")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda: JSONResponse({}, 500), "answers 500"),
        (lambda: RedirectResponse("http://127.0.0.1:1/"), "answers 307"),
        (lambda: Response("<html>", media_type="text/html"), "does not answer in JSON"),
        (lambda: Response("[" * 100_000), "does not answer in JSON"),
        (lambda: JSONResponse(["a"]), "does not answer with an object"),
        (lambda: Response(b"packed", headers={"Content-Encoding": "gzip"}), "answers packed"),
        (lambda: JSONResponse({"issuer": "https://other.example.com"}), "name another issuer"),
        (endless, "more than 500,000 bytes"),
        (slow, "takes too long"),
    ],
)
def test_a_provider_that_misbehaves_is_not_waited_for(
    plain: Store,
    provider: LocalProvider,
    configured: Callable[..., SingleSignOn],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    answer: Callable[[], Response],
    reason: str,
) -> None:
    monkeypatch.setattr(provider_fetch, "ALL_SECONDS", 0.5)
    provider.answer = answer
    with pytest.raises(SignInRefused, match=UNREACHABLE):
        configured().begin(plain)
    assert reason in caplog.text


def test_addresses_that_are_not_secure_are_not_used(
    plain: Store, provider: LocalProvider, configured: Callable[..., SingleSignOn]
) -> None:
    for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
        for address in ("http://login.example.com/x", "file:///etc/passwd", None, ["https://a"]):
            provider.metadata = {name: address}
            with pytest.raises(SignInRefused, match=UNREACHABLE):
                configured().begin(plain)


def test_nobody_at_home(plain: Store, configured: Callable[..., SingleSignOn]) -> None:
    with pytest.raises(SignInRefused, match=UNREACHABLE):
        configured(oidc_issuer="http://127.0.0.1:1").begin(plain)


def test_settings_that_cannot_work_are_told_at_the_start(tmp_path: Path) -> None:
    assert open_single_sign_on(Settings()) is None
    for name, content in (("sample", b"changeme"), ("empty", b"\n"), ("binary", b"\xff\xfe")):
        (tmp_path / name).write_bytes(content)
    issuer = {"oidc_issuer": "https://login.example.com"}
    client = {**issuer, "oidc_client_id": CLIENT}
    secret = "oidc_client_secret_file"
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"oidc_issuer": "http://login.example.com"}, "oidc_issuer must begin with https"),
        (issuer, "oidc_client_id is missing"),
        ({**client, "oidc_role_claim": "groups"}, "oidc_role_claim needs oidc_roles"),
        ({**client, secret: str(tmp_path / "none")}, "No such file or directory"),
        ({**client, secret: str(tmp_path / "sample")}, "holds no secret, or a sample"),
        ({**client, secret: str(tmp_path / "empty")}, "holds no secret, or a sample"),
        ({**client, secret: str(tmp_path / "binary")}, "is not text"),
    ]
    for values, sentence in wrong:
        with pytest.raises(UsageError, match=sentence):
            open_single_sign_on(Settings(**values))
    assert Settings().origin + single_sign_on.RETURN_PATH == RETURN


def test_the_secret_is_not_printed_with_the_rest() -> None:
    from evenhand.accounts.single_sign_on import Client

    assert "hush" not in repr(Client("id", "hush", "https://hiring.example.com"))
