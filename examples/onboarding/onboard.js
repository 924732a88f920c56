// The program under test: it brings a team to work on one page with one filter and one dashboard, and reports what the wiki and the tracker show of it.
import { ServerClient } from 'confluence.js';
import { Version2Client } from 'jira.js';

/** `admin`: the name and password of an admin of both. */
export async function onboard(baseUrl, admin, { group, users, pageId, filter, dashboard }) {
  const change = async (method, path, body) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { Authorization: `Basic ${btoa(`${admin.name}:${admin.password}`)}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  };
  await change('POST', '/rest/cwxapiextension/latest/groups/add-users', { group, users });
  await change('PUT', `/rest/cwxapiextension/latest/permissions/view/${pageId}`, { groups: [group], users: [] });
  await change('POST', '/rest/cwx-ppf/latest/push', { groups: [group], filters: [filter], dashboards: [dashboard] });
  const { results } = await wikiAs(baseUrl, admin).group.getMembers({ groupName: group });
  return results.map(({ username }) => username);
}

/** What one user finds afterwards. */
export async function seenBy(baseUrl, user, { pageId }) {
  const tracker = trackerAs(baseUrl, user);
  const page = await wikiAs(baseUrl, user)
    .content.getContentById({ id: pageId })
    .catch(error => ({ title: error.message }));
  const filters = await tracker.filters.getFavouriteFilters();
  const { dashboards } = await tracker.dashboards.getAllDashboards({ filter: 'favourite' });
  return { page: page.title, filters: filters.map(({ name }) => name), dashboards: dashboards.map(({ name }) => name) };
}

function wikiAs(host, { name, password }) {
  return new ServerClient({
    host,
    noCheckAtlassianToken: true,
    newErrorHandling: true,
    authentication: { basic: { username: name, password } },
  });
}

function trackerAs(host, { name, password }) {
  return new Version2Client({
    host,
    noCheckAtlassianToken: true,
    authentication: { basic: { email: name, apiToken: password } },
  });
}
