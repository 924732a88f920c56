"""Starts cwx-fake on a free port; each test has a sandbox of its own."""
import json, shutil, subprocess, types, urllib.request, uuid
import pytest


@pytest.fixture(scope="session")
def fake():
    program = shutil.which("cwx-fake") or "node_modules/.bin/cwx-fake"  # not npx, which doesn't pass on the signal
    with subprocess.Popen([program, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True) as process:
        yield process.stdout.readline().split()[3]  # the URL, printed once the fake is ready
        process.terminate()


@pytest.fixture
def sandbox(fake):
    name = f"test-{uuid.uuid4().hex}"
    world = lambda: json.load(urllib.request.urlopen(f"{fake}/_fake/v1/sandboxes/{name}/world"))
    return types.SimpleNamespace(url=f"{fake}/~{name}", world=world)
