"""The client under test: standard library only."""
import json
import urllib.request


def push(base_url, token, users, filters):
    """Returns the messages about what could not be pushed."""
    request = urllib.request.Request(
        f"{base_url}/rest/cwx-ppf/latest/push",
        data=json.dumps({"users": users, "filters": filters}).encode(),
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
        method="POST",
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)["messages"]
