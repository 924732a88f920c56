// The client under test.
async function addLink(baseUrl, spaceKey, label, url) {
  const answer = await fetch(`${baseUrl}/rest/cwxapiextension/latest/spaces/add-sidebar-link`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ spaceKey, label, url }),
  });
  if (!answer.ok) throw new Error(`${spaceKey}: ${answer.status}`);
}

module.exports = { addLink };
