"""A RoBERTa of two layers from random numbers, in a folder as transformers writes it."""

from __future__ import annotations

from pathlib import Path

import torch
from tokenizers import Tokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel
from tokenizers.processors import RobertaProcessing

PIECES = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]


def write_roberta(folder: Path) -> Path:
    """Through transformers, as such folders come: random weights, bytes for word pieces."""
    from transformers import PreTrainedTokenizerFast, RobertaConfig, RobertaModel

    vocabulary = {piece: place for place, piece in enumerate([*PIECES, *sorted(ByteLevel.alphabet())])}
    merges = [("n", "u"), ("Ġ", "w")]
    for pair in merges:
        vocabulary["".join(pair)] = len(vocabulary)
    tokenizer = Tokenizer(BPE(vocabulary, merges, unk_token="<unk>"))
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=False)
    tokenizer.post_processor = RobertaProcessing(("</s>", 2), ("<s>", 0))
    names = {"bos_token": "<s>", "eos_token": "</s>", "cls_token": "<s>", "sep_token": "</s>"}
    PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer, unk_token="<unk>", pad_token="<pad>", mask_token="<mask>", **names
    ).save_pretrained(folder)
    torch.manual_seed(1)
    config = RobertaConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=34,
        type_vocab_size=1,
        initializer_range=0.3,
    )
    RobertaModel(config).save_pretrained(folder)  # type: ignore[no-untyped-call]
    return folder
