# A session of the tracker as Python programs hold it: logs in, reads who it is on both halves, and logs out.
import json
import sys

import requests

base, user = sys.argv[1:]
session = requests.Session()
login = session.post(f"{base}/rest/auth/1/session", json={"username": user, "password": user})
name = session.get(f"{base}/rest/auth/1/session").json()["name"]
wiki = session.get(f"{base}/rest/api/user/current").json()["username"]
logout = session.delete(f"{base}/rest/auth/1/session")
after = session.get(f"{base}/rest/auth/1/session")
json.dump({"login": login.status_code, "name": name, "wiki": wiki, "logout": logout.status_code, "after": after.status_code}, sys.stdout)
