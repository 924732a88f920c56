// Requests of each kind, so that there is something to see: changes, guesses, refusals, a fault, a path that nothing is at.

const credentials = (user: string) => `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}`;

/** Asks the fake at `url`, below the base path of a sandbox where it has one. */
export async function livedInRequests(url: string): Promise<void> {
  const wiki = '/rest/cwxapiextension/latest';
  const ask = async (method: string, path: string, body?: unknown, user = 'admin') => {
    const response = await fetch(url + path, {
      method,
      headers: { Authorization: credentials(user), ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    await response.text();
  };
  await ask('POST', `${wiki}/groups/add-users`, { group: 'team-members', users: ['alice', 'demouser2'] });
  await ask('PUT', `${wiki}/permissions/edit/65601`, { groups: ['team-members'], users: ['carol'] });
  await ask('POST', `${wiki}/spaces/add-sidebar-link`, {
    spaceKey: 'ds',
    label: 'Handbook',
    url: 'https://wiki.example/handbook',
  });
  await ask('POST', `${wiki}/groups/add-users`, { group: 'customers', users: ['bob', 'alice'] });
  await ask('POST', `${wiki}/spaces/replaceInPage?spaceKey=ds&pageTitle=Welcome`, [
    { oldText: 'wiki', newText: 'team' },
  ]);
  await ask('POST', '/rest/cwx-ppf/latest/push', { users: ['alice', 'bob'], filters: [10500] });
  await ask('POST', '/rest/cwx-ppf/latest/push', { users: ['alice'] });
  await ask('POST', '/rest/cwx-ppf/latest/push', { users: ['alice'], filters: [10500] }, 'carol');
  await ask(
    'POST',
    `${wiki}/spaces/copySpace?sourceSpaceKey=tmpl&targetSpaceKey=PROJ&targetSpaceTitle=Project&removeAdminPermissions=false&keepPagesMetadata=true&targetSpaceAdmin=`,
  );
  await ask('POST', `${wiki}/groups/adduser`, {});
  await ask('POST', `${wiki}/groups/set-users`, { group: 'jira-core-users', users: ['alice', 'carol', 'demouser1'] });
}
