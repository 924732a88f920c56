// The client under test: it takes a base URL.
export async function pushFilter(baseUrl, token, filter, users) {
  const response = await fetch(`${baseUrl}/rest/cwx-ppf/latest/push`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ users, filters: [filter] }),
  });
  if (!response.ok) throw new Error(`push answered ${response.status}`);
  const { success, messages } = await response.json();
  return { isComplete: success, failures: messages };
}
