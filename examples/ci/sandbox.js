// A sandbox over HTTP, in the few calls that a job needs; any language has an HTTP client for these.
export async function connect(url, name, options) {
  const control = `${url}/_fake/v1/sandboxes/${name}`;
  const json = body => ({ headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  const made = await fetch(control, { method: 'PUT', ...json(options) });
  if (!made.ok) throw new Error(await made.text());
  return {
    addUsers: (group, users) =>
      fetch(`${url}/~${name}/rest/cwxapiextension/latest/groups/add-users`, { method: 'POST', ...json({ group, users }) }),
    world: async () => (await fetch(`${control}/world`)).json(),
    journal: async () => (await fetch(`${control}/journal`)).json(),
    drop: () => fetch(control, { method: 'DELETE' }),
  };
}
