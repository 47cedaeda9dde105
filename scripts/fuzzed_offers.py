"""What `fuzz-api` sends where an offer is asked for: a browser's own, and the same with bytes cut out and put in."""

from pathlib import Path

import schemathesis
from hypothesis import strategies

OFFER = (Path(__file__).resolve().parent.parent / "crates/call/tests/offers/chromium.sdp").read_bytes()


@strategies.composite
def offers(draw):
    offer = OFFER
    for _ in range(draw(strategies.integers(0, 4))):
        at = draw(strategies.integers(0, len(offer)))
        rest = at + draw(strategies.integers(0, 40))
        offer = offer[:at] + draw(strategies.binary(max_size=8)) + offer[rest:]
    return offer


schemathesis.openapi.media_type("application/sdp", offers())
