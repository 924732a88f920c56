// The client under test.
async function addLink(baseUrl, spaceKey, label, url) {
  const response = await fetch(`${baseUrl}/rest/cwxapiextension/latest/spaces/add-sidebar-link`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ spaceKey, label, url }),
  });
  if (!response.ok) throw new Error(`${spaceKey}: ${response.status}`);
}

module.exports = { addLink };
