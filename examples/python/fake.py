"""Starts cwx-fake on a free port; each test takes a sandbox of its own."""
import json
import shutil
import subprocess
import urllib.request
import uuid


# `npm test` puts the command into the path. Not `npx`: it does not hand on the signal that stops the fake.
PROGRAM = shutil.which("cwx-fake") or "node_modules/.bin/cwx-fake"


class Fake:
    def __init__(self):
        command = [PROGRAM, "serve", "--port", "0", "--log", "silent"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self._process.stdout.readline()  # comes when it answers, and not before
        self.url = line.split(" ")[3]

    def sandbox(self):
        return Sandbox(self.url, f"test-{uuid.uuid4().hex}")

    def stop(self):
        self._process.terminate()
        self._process.wait()
        self._process.stdout.close()


class Sandbox:
    def __init__(self, url, name):
        self.url = f"{url}/~{name}"
        self._control = f"{url}/_fake/v1/sandboxes/{name}"

    def world(self):
        with urllib.request.urlopen(f"{self._control}/world") as answer:
            return json.load(answer)
