// What the table of the control API (tests/control) does not cover: sandboxes that come to be by use, and a bounded journal.
import { expect } from 'chai';
import { send, sendJson, serving, useServer } from '../../support/wire/server.js';

const PUSH = '/rest/cwx-ppf/latest/push';

describe('sandboxes over HTTP', () => {
  const server = useServer();
  const url = (path: string) => `${server.url}/_fake/v1/sandboxes${path}`;

  it('are created when their world is changed, as by an operation', async () => {
    const { status } = await sendJson(url('/new/world'), 'PATCH', { licence: { ppf: 'expired' } });
    expect(status).to.equal(204);
    const { json } = await send(url('/new/world'));
    expect((json as { licence: object }).licence).to.deep.equal({ ppf: 'expired' });
    const missing = await serving('small-team', { sandboxes: 'explicit' });
    const refused = await sendJson(`${missing.url}/_fake/v1/sandboxes/new/world`, 'PATCH', {});
    expect(refused.status).to.equal(404);
    await missing.stop();
  });

  it('are created by listening, so that a client can wait for the first request', async () => {
    const controller = new AbortController();
    const { status } = await fetch(url('/heard/events'), { signal: controller.signal });
    controller.abort();
    expect([status, (await send(url('/heard'))).status]).to.deep.equal([200, 200]);
  });

  it('exist again once `default` is read after it was dropped', async () => {
    await send(url('/default'), { method: 'DELETE' });
    expect((await send(url('/default/journal'))).status).to.equal(200);
  });

  it('are not created by a request with If-Match: *', async () => {
    const asked = { headers: { 'If-Match': '*', 'Content-Type': 'application/json' } };
    const { json } = await send(url('/gone/events'), asked);
    expect(json).to.deep.include({ status: 404, detail: 'Unknown sandbox "gone".' });
    const patching = () => send(url('/gone/world'), { ...asked, method: 'PATCH', body: '{}' });
    expect((await patching()).status).to.equal(404);
    await sendJson(url('/gone/world'), 'PATCH', {});
    expect((await patching()).status).to.equal(204);
  });
});

describe('a journal of one entry', () => {
  const server = useServer('small-team', { journal: '1' });

  const push = (sandbox: string) => send(`${server.url}/~${sandbox}${PUSH}`, { method: 'POST' });

  it('keeps the last one, and counts the others', async () => {
    for (let i = 0; i < 3; i += 1) await push('counted');
    const { entries, evicted } = (await send(`${server.url}/_fake/v1/sandboxes/counted/journal`)).json as {
      entries: Array<{ id: number }>;
      evicted: number;
    };
    expect(entries.map(({ id }) => id)).to.deep.equal([3]);
    expect(evicted).to.equal(2);
  });

  it('names the kept entries if one was discarded', async () => {
    for (let i = 0; i < 2; i += 1) await push('explained');
    const { json } = await sendJson(`${server.url}/_fake/v1/sandboxes/explained/explain`, 'POST', { entry: 1 });
    expect(json).to.deep.include({ status: 410, detail: 'Entry 1 was discarded: the journal contains only entry 2.' });
  });

  it('counts requests that named no sandbox among the discarded too', async () => {
    await push('job');
    for (let i = 0; i < 3; i += 1) await send(server.url + PUSH, { method: 'POST' });
    const { json } = await send(`${server.url}/_fake/v1/sandboxes/default/journal?limit=1`);
    expect((json as { leaks: object }).leaks).to.deep.equal({ count: 3, entries: [3] });
  });
});
