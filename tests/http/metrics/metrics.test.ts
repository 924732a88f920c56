// The metrics as Prometheus reads them: every number is checked against requests made here.
import { expect } from 'chai';
import type { Running } from '../../../server/process/start.js';
import { listen } from '../../support/wire/event-reader.js';
import { send, sendJson, serving } from '../../support/wire/server.js';
import { until } from '../../support/worlds/until.js';

const ADD = '/rest/cwxapiextension/latest/groups/add-users';
const joining = { group: 'customers', users: ['alice'] };

interface Metric {
  readonly type: string;
  readonly samples: Array<{ name: string; labels: Readonly<Record<string, string>>; value: number }>;
}

/** The metrics of a text as prom-client writes it, by name. */
function metricsIn(text: string): ReadonlyMap<string, Metric> {
  const metrics = new Map<string, Metric>();
  let last: Metric | undefined;
  for (const line of text.split('\n').filter(one => one !== '' && !one.startsWith('# HELP '))) {
    const [, typed, type = ''] = /^# TYPE (\S+) (.*)$/.exec(line) ?? [];
    if (typed !== undefined) {
      last = { type, samples: [] };
      metrics.set(typed, last);
      continue;
    }
    const [, name = '', inner = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    const labels = Object.fromEntries([...inner.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, own]) => [label, own]));
    last?.samples.push({ name, labels, value: Number(value) });
  }
  return metrics;
}

describe('the metrics', () => {
  let server: Running;
  const start = async (flags = {}) => {
    server = await serving(undefined, flags);
  };
  afterEach(() => server.stop());

  const control = (method: string, path: string, body?: unknown) =>
    sendJson(`${server.url}/_fake/v1${path}`, method, body);
  const metrics = async () => metricsIn((await control('GET', '/metrics')).text);
  const shown = (metric: Metric | undefined) =>
    Object.fromEntries((metric?.samples ?? []).map(({ labels, value }) => [Object.values(labels).join(' '), value]));

  it('have the text format, under the name of their kind', async () => {
    await start();
    const { status, headers, text } = await control('GET', '/metrics');
    expect({ status, contentType: headers.get('content-type') }).to.deep.equal({
      status: 200,
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
    });
    const names = [...metricsIn(text).keys()];
    expect(names.filter(name => !name.startsWith('cwx_fake_'))).to.deep.equal([]);
    expect(names).to.include.members([
      'cwx_fake_process_resident_memory_bytes',
      'cwx_fake_nodejs_eventloop_lag_seconds',
    ]);
  });

  it('count requests by operation, status and whether a fault replaced the response', async () => {
    await start();
    await sendJson(server.url + ADD, 'POST', joining);
    await sendJson(server.url + ADD, 'POST', joining);
    await sendJson(server.url + ADD, 'POST', { group: 'nobody', users: [] });
    await send(`${server.url}/nowhere`);
    await control('PUT', '/sandboxes/default/faults', {
      faults: [{ operation: 'groups.add-users', effect: { status: 503 } }],
    });
    await sendJson(server.url + ADD, 'POST', joining);
    const all = await metrics();
    expect(all.get('cwx_fake_requests_total')?.type).to.equal('counter');
    expect(shown(all.get('cwx_fake_requests_total'))).to.deep.equal({
      'groups.add-users 200 no': 2,
      'groups.add-users 404 no': 1,
      'groups.add-users 503 yes': 1,
      'none 404 no': 1,
    });
    const seconds = all.get('cwx_fake_request_seconds_total')?.samples ?? [];
    expect(seconds.map(({ labels }) => labels.operation)).to.deep.equal(['groups.add-users', 'none']);
    for (const { value } of seconds) expect(value).to.be.above(0);
  });

  it('count sandboxes created, dropped, evicted and expired', async () => {
    await start({ 'max-sandboxes': '3', 'sandbox-ttl': '1' });
    for (const name of ['a', 'b', 'c', 'd']) await control('POST', '/sandboxes', { name, ttl: 60 });
    await control('DELETE', '/sandboxes/d');
    await control('POST', '/sandboxes', { name: 'e' });
    await until(async () => (await control('GET', '/sandboxes')).text.includes('"e"') === false);
    const all = await metrics();
    expect(shown(all.get('cwx_fake_sandboxes_created_total'))).to.deep.equal({ '': 6 });
    expect(shown(all.get('cwx_fake_sandboxes_ended_total'))).to.deep.equal({ dropped: 1, evicted: 2, expired: 1 });
    expect(shown(all.get('cwx_fake_sandboxes'))).to.deep.equal({ '': 2 });
  });

  it('count listeners', async () => {
    await start();
    const one = await listen(`${server.url}/_fake/v1/sandboxes/default/events`);
    expect(shown((await metrics()).get('cwx_fake_event_streams'))).to.deep.equal({ '': 1 });
    one.leave();
    await until(() => server.feeds.size === 0);
    expect(shown((await metrics()).get('cwx_fake_event_streams'))).to.deep.equal({ '': 0 });
  });

  it('name no sandbox, no path and no caller', async () => {
    await start();
    const secret = 'cafe-1234';
    await send(`${server.url}/~${secret}/${secret}?${secret}`, { headers: { 'x-fake-sandbox': secret } });
    await send(`${server.url}/_fake/v1/${secret}`);
    expect((await control('GET', '/metrics')).text).not.to.contain(secret);
  });
});
