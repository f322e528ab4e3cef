"""Files of our own that are either whole or refused: a header of JSON, a body, a checksum of both.

A file is a magic number of 16 bytes, then a line of JSON that spaces fill up to a multiple of 512
bytes, then the body. It is mapped into memory, and appears as a whole or not at all.
"""

from __future__ import annotations

import json
import mmap
import os
import tempfile
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

__all__ = ["read_sealed", "write_sealed"]

_BLOCK = 512
_MAGIC = 16
_LONGEST_HEADER = 1 << 20


def write_sealed(path: Path, magic: bytes, header: dict[str, Any], body: bytes) -> None:
    """Write a file beside its place and move it there: others see all of it or nothing.

    A kill at any moment leaves what was there before. Raises OSError if it cannot be written.
    """
    text = json.dumps({**header, "checksum": _checksum(header, body)}).encode()
    length = -(-(_MAGIC + len(text) + 1) // _BLOCK) * _BLOCK
    handle, temporary = tempfile.mkstemp(prefix=path.name, suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(magic + text.ljust(length - _MAGIC - 1) + b"\n")
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)  # a temporary file is for its owner alone
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def read_sealed(path: Path, magic: bytes, version: int, what: str) -> tuple[dict[str, Any], Any]:
    """Return the header and the body, a view of the file in memory.

    The header has a `version`. Raises ValueError, a sentence with the path and `what` the file
    should be, for anything else than such a file that is whole; OSError if it cannot be read.
    """
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size < _BLOCK:
            raise ValueError(f"{path} is not {what} of quincunx")
        content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    if content[:_MAGIC] != magic:
        raise ValueError(f"{path} is not {what} of quincunx")
    end = content.find(b"\n", _MAGIC, _LONGEST_HEADER)
    try:
        header = json.loads(content[_MAGIC : max(end, _MAGIC)])
        checksum, found = header.pop("checksum"), header["version"]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ValueError(f"{path} is damaged: its header cannot be read") from None
    if found != version:
        raise ValueError(
            f"{path} is {what} of version {found}, and this quincunx reads version {version}"
        )
    body = memoryview(content)[end + 1 :]
    if _checksum(header, body) != checksum:
        raise ValueError(f"{path} is damaged: its checksum is wrong")
    return header, body


def _checksum(header: dict[str, Any], body: bytes | memoryview) -> int:
    """Return the CRC-32 of a header, in one order, and of a body."""
    return zlib.crc32(body, zlib.crc32(json.dumps(header, sort_keys=True).encode()))
