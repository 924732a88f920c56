"""What the Python client of Jira finds by its own methods: `tracker.py <base URL> <user>`. Prints JSON."""
import json
import sys

from jira import JIRA

base, user = sys.argv[1:]
client = JIRA(server=base, basic_auth=(user, user))
print(
    json.dumps(
        {
            "myself": client.myself()["name"],
            "user": client.user("carol").displayName,
            "found": [each.name for each in client.search_users(user="demo")],
            "filters": [each.name for each in client.favourite_filters()],
            "filter": client.filter("10500").name,
            "dashboards": [each.name for each in client.dashboards(filter="favourite")],
            "dashboard": client.dashboard("11000").name,
            "groups": client.groups(query="team"),
            "members": list(client.group_members("team-members")),
        }
    )
)
