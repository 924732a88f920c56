// The client under test: it tries again on 503.
export async function pull(fetch, users, filters, attempts = 3) {
  const response = await fetch('/rest/cwx-ppf/latest/pull', {
    method: 'POST',
    headers: { Authorization: 'Bearer admin-token', 'Content-Type': 'application/json' },
    body: JSON.stringify({ users, filters }),
  });
  return response.status === 503 && attempts > 1 ? pull(fetch, users, filters, attempts - 1) : response.status;
}
