"""What all tests share: reproducible examples, and the list of cases."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from cases import CASES, Case

# The same examples in every run, and no opinion about the speed of the machine.
settings.register_profile(
    "reproducible",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("reproducible")

# What a shell runs in its background ignores Ctrl-C, and so would the processes of the tests.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run every test that has an argument `case`, and does not say which, for all of them."""
    named = any(
        "case" in str(mark.args[0]).replace(" ", "").split(",")
        for mark in metafunc.definition.iter_markers("parametrize")
    )
    if "case" in metafunc.fixturenames and not named:
        metafunc.parametrize("case", CASES, ids=case_id)


def case_id(case: Case) -> str:
    return case.id


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what the tests make out of the cache of the user, also in processes they start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "QUINCUNX_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
