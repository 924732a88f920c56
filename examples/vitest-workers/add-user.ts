// The client under test: it takes a base URL.
/** Whether the user is a member of the group now. */
export async function addUser(baseUrl: string, group: string, user: string): Promise<boolean> {
  const response = await fetch(`${baseUrl}/rest/cwxapiextension/latest/groups/add-users`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ group, users: [user] }),
  });
  return response.ok;
}
