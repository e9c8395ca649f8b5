"""Where settings come from, which source wins, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenhand.errors import UsageError
from evenhand.settings import SETTINGS, Settings, load_settings


def from_file(tmp_path: Path, text: str) -> dict[str, str]:
    """An environment whose settings file holds `text`."""
    (tmp_path / "evenhand.toml").write_text(text)
    return {"EVENHAND_CONFIG": str(tmp_path / "evenhand.toml")}


def test_defaults_when_nothing_is_set() -> None:
    loaded = load_settings(environment={})
    assert loaded.settings == Settings()
    assert set(loaded.origins.values()) == {"default"}


def test_every_setting_has_a_row_and_a_sentence() -> None:
    assert list(SETTINGS) == list(Settings.__dataclass_fields__)
    for name, setting in SETTINGS.items():
        assert setting.default == getattr(Settings(), name)
        assert setting.help.endswith(".")


def test_flags_beat_environment_beats_file(tmp_path: Path) -> None:
    file = from_file(tmp_path, 'workers = 2\npages = 20\nocr_pages = 3\nocr = "off"\n')
    environment = file | {"EVENHAND_PAGES": "30", "EVENHAND_OCR_PAGES": " 4 ", "UNRELATED": "x"}
    loaded = load_settings({"ocr_pages": 5, "workers": None}, environment=environment)
    assert loaded.settings == Settings(workers=2, pages=30, ocr_pages=5, ocr="off")
    assert loaded.origins["workers"] == str(tmp_path / "evenhand.toml")
    assert loaded.origins["pages"] == "EVENHAND_PAGES"
    assert loaded.origins["ocr_pages"] == "flag"
    assert loaded.origins["file_bytes"] == "default"


def test_the_file_is_looked_for_in_order(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text("pages = 1")
    for folder, pages in (("xdg/evenhand", 2), ("home/.config/evenhand", 3)):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "evenhand.toml").write_text(f"pages = {pages}")
    home = {"HOME": str(tmp_path / "home")}
    xdg = home | {"XDG_CONFIG_HOME": str(tmp_path / "xdg")}
    named = xdg | {"EVENHAND_CONFIG": str(tmp_path / "my.toml")}
    found = [load_settings(environment=environment).settings.pages for environment in (named, xdg, home, {})]
    assert found == [1, 2, 3, 200]


def test_a_file_among_the_resumes_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "evenhand.toml").write_text("wall_seconds = 1e9")
    monkeypatch.chdir(tmp_path)
    assert load_settings(environment={}).settings == Settings()


def test_a_whole_number_will_do_where_seconds_are_wanted(tmp_path: Path) -> None:
    environment = from_file(tmp_path, "wall_seconds = 9")
    assert load_settings(environment=environment).settings.wall_seconds == 9.0
    assert load_settings(environment={"EVENHAND_WALL_SECONDS": "2.5"}).settings.wall_seconds == 2.5


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        (
            "EVENHAND_WORKERS",
            "many",
            "Setting workers (EVENHAND_WORKERS) is 'many', but it must be a whole number of at least 0.",
        ),
        ("EVENHAND_PAGES", "0", "Setting pages (EVENHAND_PAGES) is '0', but it must be a whole number of at least 1."),
        (
            "EVENHAND_WALL_SECONDS",
            "nan",
            "Setting wall_seconds (EVENHAND_WALL_SECONDS) is 'nan', but it must be a number of at least 0.1.",
        ),
        (
            "EVENHAND_MEMORY_BYTES",
            "1.5",
            "Setting memory_bytes (EVENHAND_MEMORY_BYTES) is '1.5', "
            "but it must be a whole number of at least 100000000.",
        ),
        (
            "EVENHAND_OCR",
            "abbyy",
            "Setting ocr (EVENHAND_OCR) is 'abbyy', but it must be one of auto, tesseract, rapidocr, off.",
        ),
        ("EVENHAND_WORKER", "1", "There is no setting 'worker' (EVENHAND_WORKER); did you mean workers?"),
    ],
)
def test_a_wrong_variable_is_refused_by_name(variable: str, value: str, sentence: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_settings(environment={variable: value})
    assert str(caught.value) == sentence


@pytest.mark.parametrize("line", ["workers = '2'", "workers = true", "workers = 2.0", "ocr = 1", "pages = [1]"])
def test_toml_values_must_have_the_right_type(tmp_path: Path, line: str) -> None:
    with pytest.raises(UsageError, match=r"Setting \w+ \(.*evenhand\.toml\) is .*, but it must be"):
        load_settings(environment=from_file(tmp_path, line))


def test_an_unknown_key_lists_what_exists(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no setting 'zzz' .* the settings are workers, file_bytes"):
        load_settings(environment=from_file(tmp_path, "zzz = 1"))


def test_a_broken_or_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"evenhand\.toml is not valid TOML"):
        load_settings(environment=from_file(tmp_path, "workers = = 2"))
    with pytest.raises(UsageError, match=r"nowhere\.toml cannot be read: No such file or directory\."):
        load_settings(environment={"EVENHAND_CONFIG": str(tmp_path / "nowhere.toml")})


def test_the_database_is_a_file_in_the_data_folder_unless_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    found = [
        load_settings(environment=environment).settings.database_url
        for environment in (
            {},
            {"EVENHAND_DATA": ""},
            {"EVENHAND_DATA": "/srv/evenhand"},
            {"EVENHAND_DATABASE": "postgresql://ada@db/evenhand"},
        )
    ]
    assert found == [
        "sqlite:////home/ada/.local/share/evenhand/evenhand.db",
        "sqlite:////home/ada/.local/share/evenhand/evenhand.db",
        "sqlite:////srv/evenhand/evenhand.db",
        "postgresql+psycopg://ada@db/evenhand",
    ]


def test_the_lexicon_is_in_the_data_folder_unless_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    found = [
        str(load_settings(environment=environment).settings.lexicon_path)
        for environment in (
            {},
            {"EVENHAND_DATA": "/srv/evenhand"},
            {"EVENHAND_DATA": "/srv/evenhand", "EVENHAND_LEXICON": "~/words.tsv"},
        )
    ]
    assert found == ["/home/ada/.local/share/evenhand/lexicon.tsv", "/srv/evenhand/lexicon.tsv", "/home/ada/words.tsv"]


@pytest.mark.parametrize(
    ("name", "good", "bad", "expected"),
    [
        (
            "address",
            "https://hiring.example.com/",
            "hiring.example.com",
            "an address such as https://hiring.example.com",
        ),
        ("oidc_issuer", "https://a.example.com/realm", "ftp://a", "an address such as https://login.example"),
        ("oidc_email_domain", "example.com", "@example.com", "a domain such as example.com"),
        ("oidc_roles", "a b=admin, c=recruiter", "a=boss", "a list such as hiring-leads=admin, people-team"),
        ("oidc_default_role", "auditor", "admin", "one of nothing, recruiter, auditor"),
    ],
)
def test_texts_of_a_form(name: str, good: str, bad: str, expected: str) -> None:
    assert getattr(load_settings({name: good}, environment={}).settings, name) == good
    with pytest.raises(UsageError) as caught:
        load_settings({name: bad}, environment={})
    assert f"Setting {name} (flag) is {bad!r}, but it must be {expected}" in str(caught.value)


def test_the_origin_is_the_address_without_its_slash() -> None:
    assert Settings(address="https://hiring.example.com/").origin == "https://hiring.example.com"


def test_a_path_cannot_hold_a_null_byte() -> None:
    with pytest.raises(UsageError, match=r"Setting data .* but it must be a path"):
        load_settings({"data": "a\0b"}, environment={})


def test_anchored_settings_mean_the_same_in_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own").mkdir()
    settings = Settings(data="data", database="sqlite:///a.db", page_models="occupation own x/y", lexicon="")
    anchored = settings.anchored()
    assert (anchored.data, anchored.database) == (f"{tmp_path}/data", f"sqlite:///{tmp_path}/a.db")
    assert anchored.page_models == f"occupation {tmp_path}/own {tmp_path}/x/y"
    assert (anchored.lexicon, anchored.fit_model, anchored.checkpoint_command) == ("", "fit", "")
    assert Settings(database="postgresql://db/x").anchored().database == "postgresql://db/x"
