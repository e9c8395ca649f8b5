"""Training: the same bytes again, going on after a stop, what is learned and what ships."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import save

from evenhand.errors import UsageError
from evenhand.models.architectures import ARCHITECTURES, Architecture
from evenhand.models.training.encoders import StateCache, Tuning, load_pretrained, tune
from evenhand.models.training.examples import TrainingExample
from evenhand.models.training.export import export
from evenhand.models.training.loop import Schedule, TrainedNetwork, TrainingProgress, train_network
from evenhand.models.training.network import FEATURE_UNITS
from tests.models.training.small_bert import chance_words, resume
from tests.models.training.tasks import FILLERS, FULL, accuracy, examples, placed_evidence

QUICK = Schedule(epochs=2, batch=8, rate=1e-3, head_rate=1e-2)


def small(name: str) -> Architecture:
    return replace(ARCHITECTURES[name], whole_tokens=16, chunk_tokens=8, heads=4)


def train(folder: Path, architecture: Architecture, **options: object) -> TrainedNetwork:
    given: dict[str, object] = {"tuning": Tuning("lora", 1, 4), "schedule": QUICK, "labels": ("no", "yes"), **options}
    trn, dev = examples(placed_evidence, 24, 1), examples(placed_evidence, 8, 2)
    return train_network(architecture, trn, dev, encoder=folder, **given)  # type: ignore[arg-type]


def learned_bytes(trained: TrainedNetwork) -> bytes:
    return save(export(trained).tensors)


@pytest.mark.parametrize("method", ["lora", "full", "frozen"])
def test_the_same_seed_gives_the_same_bytes(small_bert: Path, method: str) -> None:
    layers = None if method == "full" else 1
    tuning = Tuning(method, layers, 4)  # type: ignore[arg-type]
    first, second = (train(small_bert, small("C+I"), tuning=tuning) for _ in range(2))
    other = train(small_bert, small("C+I"), tuning=tuning, schedule=replace(QUICK, seed=1))
    assert first.history == second.history
    assert learned_bytes(first) == learned_bytes(second)
    assert learned_bytes(first) != learned_bytes(other)


@pytest.mark.parametrize("tuning", [Tuning("lora", 1, 4), FULL])
def test_a_stopped_training_goes_on_as_if_nothing_had_been(small_bert: Path, tmp_path: Path, tuning: Tuning) -> None:
    schedule = replace(QUICK, epochs=3)
    whole = train(small_bert, small("C+I"), schedule=schedule, tuning=tuning)
    checkpoint = tmp_path / "runs" / "stopped.safetensors"

    def stop(progress: TrainingProgress) -> None:
        if progress.epoch == 2 and progress.done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(small_bert, small("C+I"), schedule=schedule, tuning=tuning, checkpoint=checkpoint, listener=stop)
    again = train(small_bert, small("C+I"), schedule=schedule, tuning=tuning, checkpoint=checkpoint)
    assert again.history == whole.history
    assert learned_bytes(again) == learned_bytes(whole)


def test_a_checkpoint_of_another_training_is_refused(small_bert: Path, tmp_path: Path) -> None:
    checkpoint = tmp_path / "run.safetensors"
    train(small_bert, small("C"), checkpoint=checkpoint)
    with pytest.raises(UsageError, match="other resumes or settings"):
        train(small_bert, small("C"), checkpoint=checkpoint, schedule=replace(QUICK, seed=1))
    checkpoint.write_bytes(b"torn")
    with pytest.raises(UsageError, match="cannot be read"):
        train(small_bert, small("C"), checkpoint=checkpoint)


def test_accumulated_batches_weigh_as_one(small_bert: Path) -> None:
    """Eight resumes at once, or four and four: one step over the same resumes, since both are drawn alike."""
    once = train(small_bert, small("C+I"), schedule=replace(QUICK, dropout=0, epochs=1))
    twice = train(small_bert, small("C+I"), schedule=replace(QUICK, dropout=0, epochs=1, batch=4, accumulation=2))
    assert once.history[0].loss == pytest.approx(twice.history[0].loss, abs=1e-5)
    assert once.history[0].dev_loss == pytest.approx(twice.history[0].dev_loss, abs=1e-4)


def test_lora_changes_only_what_it_added(small_bert: Path) -> None:
    trained = train(small_bert, small("C+I"))
    tensors = export(trained).tensors
    places = (
        *("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"),
        *("intermediate.dense", "output.dense"),
    )
    expected = {f"lora.encoder.layer.1.{place}.{part}" for place in places for part in ("down", "up")}
    assert set(tensors) == expected | {"sections", "decoder.weight", "decoder.bias"}
    assert tensors["lora.encoder.layer.1.intermediate.dense.up"].shape == (64, 4)
    assert all(np.abs(tensors[name]).max() > 0 for name in expected)
    assert {array.dtype for array in tensors.values()} == {np.dtype(np.float16)}


def test_merged_matrices_give_what_was_trained(small_bert: Path) -> None:
    """Whoever predicts merges what was exported; half precision is all that is lost."""
    trained = train(small_bert, small("C"))
    tensors = export(trained).tensors
    for name, linear in trained.network.encoder.named_linears():
        if f"lora.{name}.up" in tensors:
            up, down = (tensors[f"lora.{name}.{part}"].astype(np.float32) for part in ("up", "down"))
            merged = linear.weight.detach().numpy() + up @ down
            np.testing.assert_allclose(merged, linear.merged().detach().numpy(), atol=1e-3)


def test_full_fine_tuning_ships_whole_arrays(small_bert: Path) -> None:
    tensors = export(train(small_bert, small("C"), tuning=FULL)).tensors
    assert tensors["encoder.embeddings.word_embeddings.weight"].dtype == np.float32
    assert "encoder.encoder.layer.0.attention.self.query.weight" in tensors
    assert not any(name.startswith("lora.") for name in tensors)


def test_settings_say_how_to_rebuild_the_network(small_bert: Path) -> None:
    jobs = ("a b", "c d")
    rows = [replace(row, job=place % 2) for place, row in enumerate(examples(placed_evidence, 32, 1))]
    trained = train_network(
        replace(small("P+I+J+A"), shared_attention=False),
        rows[:24],
        rows[24:],
        labels=("no", "yes"),
        jobs=jobs,
        features=("months",),
        encoder=small_bert,
        schedule=QUICK,
    )
    exported = export(trained)
    settings = exported.settings
    assert settings["design"]["name"] == "P+I+J+A"
    assert settings["features"] == ["months"]
    assert settings["pruning"]["frequent"] == ["a"]  # all ten words are in all resumes or many; 5 % of ten is one
    assert set(settings["encoder"]["sha256"]) == {"model.safetensors", "tokenizer.json"}
    assert exported.tensors["attention.r2b.query.weight"].shape == (32, 32)
    assert exported.tensors["attention.b2r.output.bias"].shape == (32,)
    assert exported.tensors["features.hidden.weight"].shape == (32, 1 + 32)  # with the job's vector
    assert exported.tensors["decoder.weight"].shape == (2, 32 + 32)


def told_by_months(rng: np.random.Generator, label: int) -> TrainingExample:
    """The text says nothing; up to six months are too few. Some resumes do not say."""
    months = float(rng.integers(7, 60) if label else rng.integers(0, 7))
    words = chance_words(rng, 5, FILLERS)
    return TrainingExample(resume((2, words), months=months) if rng.random() < 0.9 else resume((2, words)), label)


def test_mined_features_are_standardised_on_training_resumes_and_help(small_bert: Path) -> None:
    trn, dev, tst = (examples(told_by_months, count, seed) for seed, count in enumerate((160, 40, 100)))
    found = {}
    for features in ((), ("months",)):
        trained = train_network(
            small("C"),
            trn,
            dev,
            labels=("no", "yes"),
            features=features,
            encoder=small_bert,
            tuning=Tuning("frozen"),
            schedule=Schedule(epochs=8, head_rate=1e-2, feature_rate=1e-2, dropout=0, blind=0),
        )
        found[features] = accuracy(trained, tst)
    assert found["months",] > 0.85
    assert found[()] < 0.65
    values = np.array([row.resume.features["months"] for row in trn if row.resume.features])
    tensors = export(trained).tensors
    np.testing.assert_allclose(tensors["features.mean"], [values.mean()], rtol=1e-5)
    np.testing.assert_allclose(tensors["features.scale"], [values.std()], rtol=1e-5)


def test_who_is_always_judged_by_features_alone_learns_nothing_from_texts(small_bert: Path) -> None:
    trn, dev = examples(told_by_months, 40, 0), examples(told_by_months, 10, 1)
    trained = train_network(
        small("C"),
        trn,
        dev,
        labels=("no", "yes"),
        features=("months",),
        encoder=small_bert,
        tuning=Tuning("frozen"),
        schedule=Schedule(epochs=2, weight_decay=0, blind=1.0),
    )
    weights = trained.network.decoder.weight.detach()
    assert not weights[:, :-FEATURE_UNITS].any()
    assert weights[:, -FEATURE_UNITS:].any()


def test_the_best_epoch_is_kept_and_waiting_ends(small_bert: Path) -> None:
    schedule = Schedule(epochs=30, rate=0, head_rate=0, patience=2)
    trained = train(small_bert, small("C"), schedule=schedule)
    assert trained.best.number == 1  # nothing ever gets better
    assert len(trained.history) == 3


def test_the_rate_warms_up_and_decays() -> None:
    schedule = Schedule()
    factors = [schedule.factor(step, 100) for step in range(100)]
    assert factors[:10] == pytest.approx([step / 10 for step in range(1, 11)])
    assert factors[55] == pytest.approx(0.5)
    assert factors[99] == pytest.approx(1 / 90)


def test_progress_tells_of_reading_loss_and_accuracy(small_bert: Path) -> None:
    heard: list[TrainingProgress] = []
    trained = train(small_bert, small("C"), listener=heard.append)
    assert [row.stage for row in heard] == ["reading"] + ["training"] * 8
    ends = [row for row in heard if row.dev_accuracy is not None]
    assert [(row.epoch, row.epochs, row.done, row.total) for row in ends] == [(1, 2, 3, 3), (2, 2, 3, 3)]
    assert [row.dev_accuracy for row in ends] == [epoch.dev_accuracy for epoch in trained.history]
    assert [row.loss for row in ends] == [epoch.loss for epoch in trained.history]


def test_frozen_states_are_shared_by_trainings(small_bert: Path, tmp_path: Path) -> None:
    tuning = Tuning("lora", 1, 4)
    readable = load_pretrained(small_bert)
    tune(readable.encoder, tuning)
    states = StateCache(readable, folder=tmp_path)
    heard: list[TrainingProgress] = []
    first = train(small_bert, small("C"), states=states, tuning=tuning)
    second = train(small_bert, small("C+I"), states=states, tuning=tuning, listener=heard.append)
    assert first.states is second.states is states
    assert not [row for row in heard if row.stage == "reading"]
    deeper = [train(small_bert, small("C"), states=states, tuning=Tuning("frozen")) for _ in range(2)]
    assert deeper[0].states is deeper[1].states is not states  # more layers are frozen there
    assert len(list(tmp_path.glob("*.f16"))) == 2
    states.close()


@pytest.mark.parametrize(("below", "count"), [(False, 0), (True, 12)])
def test_below_attention_lora_learns_only_if_asked(small_bert: Path, below: bool, count: int) -> None:
    rows = [replace(row, job=0) for row in examples(placed_evidence, 16, 1)]
    trained = train_network(
        small("C+I+J+A"),
        rows[:8],
        rows[8:],
        labels=("no", "yes"),
        jobs=("a b",),
        encoder=small_bert,
        tuning=Tuning(rank=2, below_attention=below),
        schedule=QUICK,
    )
    assert sum(name.startswith("lora.") for name in export(trained).tensors) == count


def test_training_needs_resumes_and_jobs(small_bert: Path) -> None:
    with pytest.raises(UsageError, match="needs resumes"):
        train_network(small("C"), [], [], labels=("no", "yes"), encoder=small_bert)
    with pytest.raises(UsageError, match=r"C\+I\+J needs a job with every resume"):
        train(small_bert, small("C+I+J"))
    with pytest.raises(UsageError, match="has 2 layers; 3 of them"):
        train(small_bert, small("C"), tuning=Tuning("lora", 3))


def test_training_is_on_one_thread() -> None:
    assert torch.get_num_threads() == 1
