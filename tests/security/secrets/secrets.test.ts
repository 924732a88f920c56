// Sends secrets into a fake by every input, and then searches everything it returns for them, in any form.
import { expect } from 'chai';
import type { Log } from '../../../server/engine/log.js';
import type { Running } from '../../../server/process/start.js';
import { sendRaw, serving } from '../../support/wire/server.js';
import { type SecretName, secrets, secretsIn } from './planted-secrets.js';
import { type Asked, asking, planted, push, surfaces } from './surfaces.js';

describe('secrets', () => {
  let server: Running;
  const logged: string[] = [];
  const say = (message: string, details?: object) => {
    logged.push(
      `${message} ${JSON.stringify(details, (_, value: unknown) => (value instanceof Error ? value.stack : value))}`,
    );
  };
  const log: Log = { info: say, warn: say, error: say };
  const found: { readonly where: string; readonly leaked: readonly SecretName[] }[] = [];

  async function ask({ method, path, headers, body: sent }: Asked) {
    const text = typeof sent === 'string' ? sent : sent === undefined ? null : JSON.stringify(sent);
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { ...(text !== null && { 'Content-Type': 'application/json' }), ...headers },
      body: text,
    });
    const shown = `${[...response.headers].map(pair => pair.join(': ')).join('\n')}\n\n${await response.text()}`;
    return { status: response.status, shown };
  }
  const control = (asked: Asked) =>
    ask({
      ...asked,
      path: `/_fake/v1${asked.path}`,
      headers: { Authorization: `Bearer ${secrets.controlToken}`, ...asked.headers },
    });

  before(async () => {
    server = await serving(undefined, { 'control-token': secrets.controlToken }, log);
    await control({ method: 'PUT', path: planted, body: {} });
    const users = { dora: { password: secrets.worldPassword, token: secrets.worldToken } };
    const pages = { 65601: { body: `<p>See https://bob:${secrets.pageUrl}@host/ and the rest.</p>` } };
    expect((await control({ method: 'PATCH', path: `${planted}/world`, body: { users, pages } })).status).to.equal(204);
    const headers = {
      Authorization: `Bearer ${secrets.faultHeader}`,
      'Set-Cookie': `sid=${secrets.faultHeader}`,
      Location: `https://bob:${secrets.faultLocation}@sso/cb?code=${secrets.faultLocation}#id_token=${secrets.faultLocation}`,
      'WWW-Authenticate': `Negotiate ${secrets.faultChallenge}`,
    };
    const effect = { status: 503, headers, body: { detail: 'readable', access_token: secrets.faultBody } };
    const faults = [{ operation: 'ppf.pull', effect }];
    expect((await control({ method: 'PUT', path: `${planted}/faults`, body: { faults } })).status).to.equal(200);
    await control({ method: 'POST', path: `${planted}/fork`, body: { name: 'kept' } });
    for (const one of asking) {
      await ask({ ...one, path: `/~kept${one.path}` });
      const { shown } = await ask({ ...one, path: `/~planted${one.path}` });
      found.push({ where: `the response to ${one.method} ${one.path}`, leaked: secretsIn(shown) });
    }
    const whole = `http://admin:${secrets.urlPassword}@localhost/~planted${push}`;
    const response = await sendRaw(
      server.url,
      `POST ${whole} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    found.push({ where: 'the response to a whole URL', leaked: secretsIn(response) });
    const strange = await sendRaw(
      server.url,
      `GET ftp://admin:${secrets.urlPassword}@localhost/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    found.push({ where: 'the response to no address', leaked: secretsIn(strange) });
  });
  after(() => server.stop());

  it('are in no response of an operation, except those of a fault, and names returned to the client that sent them', () => {
    const shown = found.filter(({ leaked }) => leaked.length > 0);
    expect(shown).to.deep.equal([
      {
        where: 'the response to POST /rest/cwx-ppf/latest/pull',
        leaked: ['faultHeader', 'faultLocation', 'faultChallenge', 'faultBody'],
      },
      { where: `the response to GET /rest/a;jsessionid=${secrets.pathSession}/x`, leaked: ['pathSession'] },
    ]);
  });

  it('have been sent: the journal has an entry for each request', async () => {
    const { shown } = await control({ method: 'GET', path: `${planted}/journal` });
    const { entries } = JSON.parse(shown.slice(shown.indexOf('\n\n'))) as {
      entries: { url: string }[];
    };
    expect(entries).to.have.length(asking.length + 1); // and the whole URL
    expect(entries.map(({ url }) => url).join())
      .to.include('readable')
      .and.include('os_password=hidden');
  });

  it('include the control token and the tokens of the fixture, wherever they appear', async () => {
    for (const token of [secrets.controlToken, 'admin-token']) {
      const encoded = encodeURIComponent(token).replaceAll('.', '%2E').replaceAll('-', '%2D');
      const bodies = [
        token,
        JSON.stringify({ users: [token] }),
        JSON.stringify({ [token]: 1 }),
        `--b\r\n${token}\r\n--b--`,
      ];
      const paths = [`/rest/${token}`, `/rest/${encoded}?x=${token}&${token}=1`, `${push}?spaceKey=a${encoded}b`];
      for (const path of paths) await ask({ method: 'GET', path: `/~any${path}`, headers: { 'X-Request-Id': token } });
      for (const body of bodies) await ask({ method: 'POST', path: `/~any${push}`, body });
      for (const headers of [{ 'X-Fake-Reading': token }, { 'Content-Type': `text/${token}` }])
        await ask({ method: 'POST', path: `/~any${push}`, headers, body: '{}' });
      const { shown } = await control({ method: 'GET', path: '/sandboxes/any/journal' });
      expect(shown.match(/"method":/g)?.length).to.be.at.least(9);
      expect(shown.slice(shown.indexOf('\n\n')))
        .not.to.contain(token)
        .and.not.to.contain(encoded);
    }
  });

  it('are not in the events, from the first on', async () => {
    const stopping = new AbortController();
    const first = await control({ method: 'GET', path: planted });
    expect(first.status).to.equal(200);
    const response = await fetch(`${server.url}/_fake/v1${planted}/events`, {
      headers: { Authorization: `Bearer ${secrets.controlToken}`, 'Last-Event-ID': 'a.0.a.0' },
      signal: stopping.signal,
    });
    let shown = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      shown += decoder.decode(chunk, { stream: true });
      if (shown.includes('nowhere') && shown.includes('faults-set')) break;
    }
    stopping.abort();
    expect(secretsIn(shown)).to.deep.equal([]);
  });

  it('are in no response of the control API, except those that a client stored to get them back', async () => {
    for (const { status, tells, ...asked } of surfaces) {
      const { shown, ...seen } = await control(asked);
      const what = `${asked.method} ${asked.path} ${JSON.stringify(asked.body)}: ${shown.slice(0, 3000)}`;
      expect(seen.status, what).to.equal(status);
      expect(secretsIn(shown), what).to.have.members(tells);
    }
  });

  it('are not in a recorded scenario, which has the requests', async () => {
    const { shown } = await control({ method: 'GET', path: '/sandboxes/kept/recording' });
    const { text } = JSON.parse(shown.slice(shown.indexOf('\n\n'))) as { text: string };
    expect(text.match(/- say: /g)).to.have.length.above(3);
    expect(secretsIn(shown + text)).to.deep.equal([]);
  });

  it('are replaced consistently in a replay: a hidden text is found', async () => {
    const asked = { entry: asking.length, readings: { 'replace-not-found': '404' } };
    const { shown } = await control({ method: 'POST', path: '/sandboxes/kept/explain', body: asked });
    const explained = JSON.parse(shown.slice(shown.indexOf('\n\n'))) as {
      facts: readonly { body: string }[];
      under: { response: object; facts: object; differences: object };
    };
    expect(explained.facts.map(({ body }) => body)).to.deep.equal(['<p>See https://host/ and the rest.</p>']);
    expect(explained.under.response).to.include({ status: 200 });
    expect(explained.under.facts).to.deep.equal(explained.facts);
    expect(explained.under.differences).to.deep.equal([]);
  });

  it('in wrong credentials are refused without being repeated', async () => {
    const refused = await control({
      method: 'GET',
      path: planted,
      headers: { Authorization: `Bearer ${secrets.wrongToken}` },
    });
    expect({ status: refused.status, secrets: secretsIn(refused.shown) }).to.deep.equal({ status: 401, secrets: [] });
  });

  it('are in no line of the log', () => {
    expect(logged.length).to.be.above(0);
    expect(secretsIn(logged.join('\n')), logged.join('\n')).to.deep.equal([]);
  });
});
