// `--fallback`: which requests go to the other server, how they are forwarded and recorded, and what happens if it fails.
import { once } from 'node:events';
import { type IncomingMessage, type RequestListener, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { startFake } from '../../../server/index.js';
import type { Running } from '../../../server/process/start.js';
import type { FlagValues } from '../../../server/settings/settings.js';
import { heldIn, recordingOf } from '../../scenario/recording/recording.js';
import { run } from '../../support/processes/commands.js';
import { assembled } from '../../support/scenarios/shipped-runs.js';
import { useClosing } from '../../support/wire/closing.js';
import { REFUSED } from '../../support/wire/connection-failures.js';
import { basic, entriesIn, send, sendJson, sendRaw, serving } from '../../support/wire/server.js';

interface Came {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const hook = { path: '/rest/webhooks/1.0', times: 1 };
const LINK = '/rest/cwxapiextension/latest/spaces/add-sidebar-link';

describe('a fallback', () => {
  const closing = useClosing();
  let came: Came[] = [];
  beforeEach(() => {
    came = [];
  });
  const upstream = (listener: RequestListener = echo) => closing.upstream(listener);
  const echo: RequestListener = (req, res) => {
    let body = '';
    req.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    req.on('end', () => {
      came.push({ line: `${req.method} ${req.url}`, headers: req.headers, body });
      res.writeHead(203, {
        'content-type': 'text/plain',
        'x-fake-rules': 'of nobody',
        connection: 'x-hop',
        'x-hop': '1',
      });
      res.end('of the other mock');
    });
  };
  const withFallback = async (fallback: string, flags: FlagValues = {}): Promise<Running> => {
    const fake = await serving('small-team', { fallback, ...flags });
    closing.push(() => fake.stop());
    return fake;
  };
  it('receives what is neither an operation nor a resource of Confluence or Jira, marked in the journal', async () => {
    const other = await upstream();
    const fake = await withFallback(`${other}/base/`);
    const asked = { accept: 'x/y', authorization: basic('admin', 'admin'), connection: 'x-private', 'x-private': '1' };
    const ours = { 'x-fake-sandbox': 'job-7', 'x-fake-reading': 'a=b' };
    const asking = request(`${fake.url}/~job-7/rest/other/1.0?a=%20+b&os_password=geheim`, {
      method: 'PUT',
      headers: { ...asked, ...ours },
    }).end('{"n":1}');
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    expect(response.statusCode).to.equal(203);
    expect(await text(response)).to.equal('of the other mock');
    expect(response.headers).to.include({ 'x-fake-source': 'fallback', 'x-fake-sandbox': 'job-7' });
    expect(response.headers).not.to.have.any.keys('x-fake-rules', 'x-hop', 'x-fake-gaps');
    const [first] = came;
    expect(first).to.deep.include({
      line: 'PUT /base/rest/other/1.0?a=%20+b&os_password=geheim',
      body: '{"n":1}',
    });
    expect(first?.headers).to.include({
      accept: 'x/y',
      authorization: basic('admin', 'admin'),
      host: new URL(other).host,
    });
    expect(Object.keys(first?.headers ?? {}).filter(name => /^x-|^te$/.test(name))).to.deep.equal([]);

    const [entry, ...more] = await entriesIn(fake, 'job-7');
    expect(more).to.deep.equal([]);
    const { forwarded, response: kept, ...rest } = entry as { forwarded: object; response: { headers: object } };
    expect(forwarded)
      .to.have.all.keys('to', 'duration', 'headers')
      .and.deep.include({ to: `${other}/base`, headers: { 'Content-Type': 'text/plain' } });
    expect(kept).to.include({ status: 203, body: 'of the other mock' });
    expect(kept.headers).to.include({ 'content-type': 'text/plain', 'x-hop': '1' });
    expect(rest).to.deep.include({
      method: 'PUT',
      url: '/~job-7/rest/other/1.0?a=%20+b&os_password=hidden',
      rules: [],
      gaps: {},
      facts: [],
      before: 0,
      version: 0,
    });
    expect(rest).not.to.have.any.keys('operation', 'refused', 'credentialsProblem', 'ignoredCaller', 'unknownQuery');
    const coverage = (await send(`${fake.url}/_fake/v1/coverage`)).json;
    expect(coverage).to.deep.include({ rules: {}, gaps: {}, refusals: {} });
    const { stdout } = await run(['journal', '--url', fake.url, '--sandbox', 'job-7']);
    expect(stdout).to.match(/^#1 \S+ - PUT \S+ 203 · no operation · forwarded to http:\S+\/base\n$/);
  });

  it('receives unknown paths of Confluence and Jira, and the front page; the fake keeps everything else', async () => {
    const fake = await withFallback(await upstream());
    const statusOf = async (path: string, method = 'GET') => (await send(fake.url + path, { method })).status;
    expect(await statusOf('/')).to.equal(203);
    expect(await statusOf('/rest/api/webhook')).to.equal(203);
    expect(await statusOf('/rest/cwxapiextension/latest/groups/addusers', 'POST')).to.equal(203);
    expect((await entriesIn(fake)).at(-1)).to.include({ nearest: '/rest/cwxapiextension/latest/groups/add-users' });
    came = [];
    expect(await statusOf('/rest/api/space')).to.equal(200);
    expect(await statusOf(LINK)).to.equal(405);
    expect(await statusOf(LINK, 'POST')).to.equal(400);
    expect(await statusOf('/rest/api/%zz')).to.equal(400);
    expect(await statusOf('/~not%20one/x')).to.equal(400);
    expect(came).to.deep.equal([]);
  });

  it('never receives requests for the control API, however they are written, nor its token', async () => {
    const fake = await withFallback(await upstream(), { 'control-token': 'open-sesame', 'allow-host': ['any'] });
    const authorization = 'Bearer open-sesame';
    const spellings = [
      '/_fake',
      '/_FAKE/v1/scenarios',
      '/%5Ffake/v1',
      '/a/../_fake/v1',
      '/x%2F_fake%2Fv1',
      '/~a/_fake/v1/x',
    ];
    for (const path of spellings)
      expect(
        await sendRaw(
          fake.url,
          `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
        ),
        path,
      ).to.match(/^HTTP\/1\.1 (302|40[04]) /);
    expect(came).to.deep.equal([]);
    await send(`${fake.url}/other`, { headers: { authorization, 'x-fake-token': 'open-sesame', cookie: 'a=b' } });
    expect(came[0]?.headers).to.include({ cookie: 'a=b' }).and.not.have.any.keys('authorization', 'x-fake-token');
  });

  it('is readable for pages of allowed origins alone, and is not explained', async () => {
    const fake = await withFallback(await upstream(), { cors: ['http://front.test'] });
    const asked = (origin: string) => send(`${fake.url}/other`, { headers: { origin } });
    expect((await asked('http://front.test')).headers.get('access-control-allow-origin')).to.equal('http://front.test');
    expect((await asked('http://evil.test')).status).to.equal(403);
    expect(came).to.have.lengthOf(1);
    const { json } = await sendJson(`${fake.url}/_fake/v1/sandboxes/default/explain`, 'POST', { entry: 1 });
    expect(json).to.include({ status: 409, title: 'Another server sent the response' });
  });

  it('receives bodies as they arrive', async () => {
    const fake = await withFallback(await upstream((req, res) => void req.pipe(res)), { 'max-body': '100' });
    const asking = request(`${fake.url}/stream`, { method: 'POST', headers: { 'Transfer-Encoding': 'chunked' } });
    asking.write('first');
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    const [chunk] = (await once(response, 'data')) as [Buffer];
    expect(String(chunk)).to.equal('first');
    asking.end(Buffer.alloc(1_000_000));
    let size = 0;
    for await (const more of response as AsyncIterable<Buffer>) size += more.length;
    expect(size).to.equal(1_000_000); // more than the fake itself would read
  });

  it('is reported in the response and in the journal if it does not answer', async () => {
    const away = await withFallback('http://127.0.0.1:1');
    expect(await send(`${away.url}/x`)).to.deep.include({
      status: 502,
      json: {
        status: 502,
        title: 'No usable response from the other server',
        detail: `http://127.0.0.1:1 cannot be reached: ${REFUSED}.`,
      },
    });
    const [entry] = await entriesIn(away);
    expect(entry).to.have.nested.property('forwarded.problem', `http://127.0.0.1:1 cannot be reached: ${REFUSED}.`);

    let fake: Running | undefined;
    const circle = await upstream(async (req, res) => {
      const { status } = await fetch(`${fake?.url}/round`, { headers: { via: String(req.headers.via) } });
      res.writeHead(status).end();
    });
    fake = await withFallback(circle);
    expect((await send(`${fake.url}/round`)).status).to.equal(508);

    const cut = await withFallback(
      await upstream((_, res) => void res.writeHead(200, { 'content-length': 9 }).write('a', () => res.destroy())),
    );
    const broken = await fetch(`${cut.url}/x`)
      .then(response => response.text())
      .catch(error => error);
    expect(broken).to.be.an('error');
    expect((await entriesIn(cut))[0])
      .to.have.nested.property('forwarded.problem')
      .that.match(/broke off its response\.$/);
  });

  it('is not needed to play what was recorded: its responses become stubs, unless they are no text', async () => {
    const fake = await startFake({
      fallback: await upstream((req, res) => {
        if (req.url === '/binary') return res.end(Buffer.from([255, 0]));
        if (req.url === '/text') return res.end(['$', '{of} the other'].join(''));
        res.writeHead(req.method === 'POST' ? 201 : 200, { 'Content-Type': 'application/json', Location: '/made' });
        return res.end(JSON.stringify({ asked: req.url }));
      }),
    });
    closing.push(() => fake.stop());
    const sandbox = fake.sandbox('a');
    await sandbox.stubs.set([{ path: '/rest/webhooks/*/mine', times: 1, body: 'a stub' }]);
    const asked = ['GET /rest/webhooks/1.0?a=b', 'POST /rest/webhooks/1.0', 'GET /rest/webhooks/1.0/mine'];
    for (const line of [...asked, 'GET /', 'GET /binary', 'GET /text']) {
      const [method = '', path = ''] = line.split(' ');
      await sandbox.fetch(path, { method });
    }
    expect(
      (await sandbox.journal({ stub: true })).map(({ id }) => id),
      'a stub wins',
    ).to.deep.equal([3]);
    const recording = await recordingOf(sandbox);
    expect(recording.scenario.steps?.map(step => [step.stubs, step.expect?.status])).to.deep.equal([
      [[{ ...hook, method: 'GET', headers: { Location: '/made' }, body: { asked: '/rest/webhooks/1.0?a=b' } }], 200],
      [
        [
          {
            ...hook,
            method: 'POST',
            status: 201,
            headers: { Location: '/made' },
            body: { asked: '/rest/webhooks/1.0' },
          },
        ],
        201,
      ],
      [[{ method: 'GET', path: '/rest/webhooks/1.0/mine', times: 1, body: 'a stub' }], 200],
    ]);
    expect(recording.leftOut).to.deep.equal([
      [4, 'No stub can send the response of the other server: The fake itself responds at /, with its front page.'],
      [5, 'The response of the other server has a body that is too large or is not text.'],
      [6, 'It contains ${, which a scenario would treat as a captured value.'],
    ]);
    const on = await assembled();
    closing.push(() => on.end());
    expect(await heldIn(on, recording)).to.deep.equal([]);
  });

  for (const path of ['', '/~a'])
    it(`leads clients to the fake when its responses are played again${path && ', in a sandbox too'}`, async () => {
      let made = '';
      const fallback = await upstream((_, res) => {
        res.writeHead(302, { 'Content-Type': 'application/json', Location: made });
        res.end(JSON.stringify({ self: made }));
      });
      made = `${fallback}/made/1`;
      const fake = await startFake({ fallback });
      closing.push(() => fake.stop());
      const received = await fetch(`${fake.url}${path}/rest/webhooks/1.0`, { redirect: 'manual' });
      expect(received.headers.get('Location')).to.equal(`${fake.url}${path}/made/1`);
      const sandbox = fake.sandbox(path === '' ? 'default' : 'a');
      const [entry] = await sandbox.journal();
      expect(entry?.response.body, 'as received').to.equal(await received.text());
      const { scenario } = await recordingOf(sandbox);
      const stubs = scenario.steps?.flatMap(step => step.stubs ?? []);
      const body = { self: `${fake.url}${path}/made/1` };
      expect(stubs).to.deep.equal([{ ...hook, method: 'GET', status: 302, headers: { Location: '/made/1' }, body }]);
    });
});
