// The client under test: it takes a base URL.
export async function pushFilter(baseUrl, token, filter, users) {
  const answer = await fetch(`${baseUrl}/rest/cwx-ppf/latest/push`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ users, filters: [filter] }),
  });
  if (!answer.ok) throw new Error(`push answered ${answer.status}`);
  const { success, messages } = await answer.json();
  return { isComplete: success, failures: messages };
}
