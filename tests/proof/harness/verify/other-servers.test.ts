// Other servers as the provider: with and without provider states, and whatever they answer.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { expect } from 'chai';
import { pactFile, ppf, pushes, replies, shortly, verdictOn, verifying } from '../../../harness/verify/running.js';
import { listening } from '../../../support/wire/server.js';

const push = { users: ['alice'], filters: [10500] };
const done = { success: true, messages: [] };

describe('verify: other servers', () => {
  const open: Server[] = [];
  afterEach(() => {
    for (const server of open.splice(0)) server.close();
  });
  const at = (url: string, stateChangeUrl?: string) => ({
    target: { url, headers: {}, ...(stateChangeUrl !== undefined && { stateChangeUrl }) },
  });

  /** It takes pushes and pulls, and refuses them while its state has no licence. */
  async function another() {
    const changes: unknown[] = [];
    const requests: IncomingMessage[] = [];
    let isLicensed = true;
    const server = createServer(async (asked, response) => {
      const text = await textOf(asked);
      requests.push(asked);
      const json = (status: number, value: object) =>
        response.writeHead(status, { 'content-type': 'application/json;charset=UTF-8' }).end(JSON.stringify(value));
      if (asked.url === '/states?for=pact') {
        const change = JSON.parse(text) as { action: string; state: string; params: Record<string, unknown> };
        changes.push(change);
        if (change.state === 'no such thing') return json(400, { error: 'unknown state' });
        if (change.state === 'licence is') isLicensed = change.action === 'teardown';
        return json(
          200,
          change.action === 'setup' ? { user: 'emil', filterId: 20001, dashboardId: 30001, ...change.params } : {},
        );
      }
      if (!asked.url?.startsWith('/jira/rest/cwx-ppf/latest/')) return json(404, {});
      if (!isLicensed) return json(403, {});
      return json(200, { success: true, messages: [] });
    });
    open.push(server);
    const url = await listening(server);
    return { url: `${url}/jira`, stateChangeUrl: `${url}/states?for=pact`, changes, requests };
  }

  it('set up each state before and tear it down after, and return values for the request', async () => {
    const { url, stateChangeUrl, changes, requests } = await another();
    const { verdicts, notices, target } = await verifying(
      pactFile('v3-python-favourites.json'),
      at(url, stateChangeUrl),
    );
    expect(verdicts.map(({ outcome }) => outcome)).to.deep.equal(['passed', 'failed', 'passed']);
    expect(verdicts[0]?.exchange?.request.body).to.equal('{"dashboards":[30001],"filters":[20001],"users":["emil"]}');
    expect({ notices, target }).to.deep.equal({ notices: [], target: url });
    expect(changes.slice(0, 6)).to.deep.equal([
      { action: 'setup', state: 'user exists', params: { name: 'emil' } },
      { action: 'setup', state: 'filter exists', params: { id: 20001, name: 'Overdue' } },
      { action: 'setup', state: 'dashboard exists', params: { id: '30001' } },
      { action: 'teardown', state: 'user exists', params: { name: 'emil' } },
      { action: 'teardown', state: 'filter exists', params: { id: 20001, name: 'Overdue' } },
      { action: 'teardown', state: 'dashboard exists', params: { id: '30001' } },
    ]);
    expect(
      requests
        .filter(({ url: asked }) => asked?.startsWith('/jira'))
        .map(({ method, url: asked }) => `${method} ${asked}`),
    ).to.deep.equal([
      'POST /jira/rest/cwx-ppf/latest/push',
      'POST /jira/rest/cwx-ppf/latest/push',
      'POST /jira/rest/cwx-ppf/latest/pull',
    ]);
  });

  it('report in their own words why a state is impossible, and get no request then', async () => {
    const { url, stateChangeUrl, requests } = await another();
    const verdict = await verdictOn(
      pushes('a push', push, replies(200), { providerStates: [{ name: 'no such thing' }] }),
      at(url, stateChangeUrl),
      ppf,
    );
    expect(verdict).to.include({
      outcome: 'unverified',
      problem: 'The server did not set up the state "no such thing": it responded with 400 {"error":"unknown state"}.',
    });
    expect(requests.map(({ url: asked }) => asked)).to.deep.equal(['/states?for=pact']);
  });

  it('are compared with the document by the fake, whatever they answer', async () => {
    const { url } = await another();
    const documented = await verdictOn(pushes('a push', push, replies(200)), at(url), ppf);
    expect(documented).to.deep.include({ outcome: 'passed', classification: { kind: 'documented' } });
    const wrong = await verdictOn(pushes('a push', { ...push, users: 'alice' }, replies(200, done)), at(url), ppf);
    expect({ outcome: wrong.outcome, classification: shortly(wrong.classification) }).to.deep.equal({
      outcome: 'passed',
      classification: 'rests on field-type=400',
    });
    const unlike = await verdictOn(pushes('a push', {}, replies(400)), at(url), ppf);
    expect({
      outcome: unlike.outcome,
      classification: shortly(unlike.classification),
      status: unlike.exchange?.response.status,
    }).to.deep.equal({ outcome: 'failed', classification: 'documented', status: 200 });
  });

  it('prove nothing about the document if the fake has no such state', async () => {
    const { url, stateChangeUrl } = await another();
    const verdict = await verdictOn(
      pushes('a push', push, replies(200), { providerStates: [{ name: 'Friday night' }] }),
      at(url, stateChangeUrl),
      ppf,
    );
    expect(verdict).to.deep.include({ outcome: 'passed', classification: { kind: 'unknown' }, trials: [] });
  });
});
