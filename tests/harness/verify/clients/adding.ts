// One request that both versions of the client send: add users to a group of the wiki.

export interface Adding {
  readonly group: string;
  readonly users: readonly string[];
}

export function askToAdd(wiki: string, adding: Adding): Promise<Response> {
  return fetch(`${wiki}/rest/cwxapiextension/latest/groups/add-users`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(adding),
  });
}
