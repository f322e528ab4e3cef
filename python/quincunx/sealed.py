"""Files of our own that are either whole or refused: a header of JSON, a body, a checksum of both.

A file is a magic number of 16 bytes, then a line of JSON that spaces fill up to a multiple of 512
bytes, then the body. It is mapped into memory, and appears as a whole or not at all.
"""

from __future__ import annotations

import json
import mmap
import os
import stat
import tempfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

__all__ = ["read_sealed", "write_sealed"]

_BLOCK = 512
_MAGIC = 16
_LONGEST_HEADER = 1 << 20
_PIECE = 1 << 26


# Is given a function that takes the next piece of a body.
BodyWriter = Callable[[Callable[[bytes], object]], object]


def write_sealed(path: Path, magic: bytes, header: dict[str, Any], write_body: BodyWriter) -> None:
    """Write a file beside its place and move it there: others see all of it or nothing.

    A kill at any moment leaves what was there before. Raises OSError if it cannot be written.
    """

    def head(checksum: int) -> bytes:
        return magic + json.dumps({**header, "checksum": checksum}).encode()

    length = -(-(len(head(2**32 - 1)) + 1) // _BLOCK) * _BLOCK
    checksum = _checksum(header)
    try:
        handle, temporary = tempfile.mkstemp(prefix=path.name, suffix=".part", dir=path.parent)
    except OSError as error:
        error.filename = str(path)  # not a name that nobody has heard of
        raise
    try:
        with os.fdopen(handle, "wb") as file:

            def write(piece: bytes) -> None:
                nonlocal checksum
                checksum = zlib.crc32(piece, checksum)
                file.write(piece)

            file.seek(length)
            write_body(write)
            file.seek(0)  # now that the checksum is known
            file.write(head(checksum).ljust(length - 1) + b"\n")
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
    not_ours = f"{path} is not {what} of quincunx"
    if not stat.S_ISREG(path.stat().st_mode):
        raise ValueError(not_ours)  # opening a pipe would wait for a writer
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size < _BLOCK:
            raise ValueError(not_ours)
        content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    if content[:_MAGIC] != magic:
        raise ValueError(not_ours)
    end = content.find(b"\n", _MAGIC, _LONGEST_HEADER)
    try:
        header = json.loads(content[_MAGIC : max(end, _MAGIC)])
        checksum, found = header.pop("checksum"), header["version"]
        if type(found) is not int:
            raise TypeError
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ValueError(f"{path} is damaged: its header cannot be read") from None
    if found != version:
        raise ValueError(
            f"{path} is {what} of version {found}, and this quincunx reads version {version}"
        )
    body = memoryview(content)[end + 1 :]
    found_checksum = _checksum(header)
    for at in range(0, len(body), _PIECE):  # Ctrl-C is answered in between
        found_checksum = zlib.crc32(body[at : at + _PIECE], found_checksum)
    if found_checksum != checksum:
        raise ValueError(f"{path} is damaged: its checksum is wrong")
    return header, body


def _checksum(header: dict[str, Any]) -> int:
    """Return the CRC-32 of a header, in one order, to go on with that of the body."""
    return zlib.crc32(json.dumps(header, sort_keys=True).encode())
