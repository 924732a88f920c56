// The client under test.
export async function push(baseUrl, users, filters) {
  const response = await fetch(`${baseUrl}/rest/cwx-ppf/latest/push`, {
    method: 'POST',
    headers: { Authorization: 'Bearer admin-token', 'Content-Type': 'application/json' },
    body: JSON.stringify({ users, filters }),
  });
  return (await response.json()).success;
}
