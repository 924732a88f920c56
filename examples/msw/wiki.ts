// The client under test: its address is fixed, and it follows links.
const WIKI = 'https://wiki.example.com';
const headers = { Authorization: `Basic ${btoa('alice:alice')}`, 'Content-Type': 'application/json' };

/** The names of the spaces, each read by the link in the list. */
export async function spaceNames(): Promise<string[]> {
  const list = await (await fetch(`${WIKI}/rest/api/space`, { headers })).json();
  const links: string[] = list.results.map((space: { _links: { self: string } }) => space._links.self);
  return Promise.all(links.map(async link => (await (await fetch(link, { headers })).json()).name));
}

/** Whether the user is a member of the group now. */
export async function addUser(group: string, user: string): Promise<boolean> {
  const body = JSON.stringify({ group, users: [user] });
  return (await fetch(`${WIKI}/rest/cwxapiextension/latest/groups/add-users`, { method: 'POST', headers, body })).ok;
}
