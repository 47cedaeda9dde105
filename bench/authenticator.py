"""The codes that an officer's authenticator app shows (RFC 6238)."""

import base64
import hmac

# A code is good for so long, and once.
CODE_SECONDS = 30


def code_at(secret: str, moment: float) -> str:
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.digest(key, int(moment // CODE_SECONDS).to_bytes(8, "big"), "sha1")
    offset = digest[-1] & 15
    return f"{(int.from_bytes(digest[offset : offset + 4], 'big') & 0x7FFFFFFF) % 10**6:06}"
