import urllib.error

import pytest

from favourites import push


def test_reaches_alice(sandbox):
    assert push(sandbox.url, "admin-token", ["alice"], [10500]) == []
    assert sandbox.world()["favourites"]["alice"]["filters"] == [10500]


def test_reports_who_is_unknown(sandbox):
    assert push(sandbox.url, "admin-token", ["bob"], [10500]) == ["Could not find user with name bob"]


def test_needs_the_token_of_an_admin(sandbox):
    with pytest.raises(urllib.error.HTTPError, match="401"):
        push(sandbox.url, "wrong", ["alice"], [10500])
