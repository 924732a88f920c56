// The metrics as Prometheus reads them: every number is checked against requests made here; and the number of series is bounded.
import { expect } from 'chai';
import { Metrics, OTHER_STATUS } from '../../../server/http/metrics/metrics.js';
import { createFake } from '../../../server/index.js';
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
      'groups.add-users no 200': 2,
      'groups.add-users no 404': 1,
      'groups.add-users yes 503': 1,
      'none no 404': 1,
    });
    expect(shown(all.get('cwx_fake_faults_fired_total'))).to.deep.equal({ 'groups.add-users': 1 });
    const durations = all.get('cwx_fake_request_duration_seconds');
    const counts = durations?.samples.filter(({ name }) => name.endsWith('_count')) ?? [];
    expect(counts.map(({ labels, value }) => [labels.operation, value])).to.deep.equal([
      ['groups.add-users', 4],
      ['none', 1],
    ]);
    const [sum] = durations?.samples.filter(({ name }) => name.endsWith('_sum')) ?? [];
    expect(sum?.value).to.be.above(0);
  });

  it('count requests to the control API by endpoint and status, including completed requests for the metrics', async () => {
    await start();
    await send(`${server.url}/_fake/health`);
    await control('GET', '/sandboxes/nobody');
    await control('GET', '/nowhere');
    await metrics();
    expect(shown((await metrics()).get('cwx_fake_control_requests_total'))).to.deep.equal({
      'health 200': 1,
      'sandboxes.describe 404': 1,
      'none 404': 1,
      'metrics.read 200': 1,
    });
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

  it('count discarded journal entries, over resets and the end of their sandboxes', async () => {
    await start({ journal: '2' });
    const ask = async (times: number, sandbox: string) => {
      for (let i = 0; i < times; i += 1) await send(`${server.url}/~${sandbox}/nowhere`);
    };
    await ask(5, 'a');
    await control('POST', '/sandboxes/a/reset');
    await ask(3, 'a');
    await ask(4, 'b');
    await control('DELETE', '/sandboxes/b');
    expect(shown((await metrics()).get('cwx_fake_journal_entries_evicted_total'))).to.deep.equal({ '': 3 + 1 + 2 });
  });

  it('count listeners', async () => {
    await start();
    const one = await listen(`${server.url}/_fake/v1/sandboxes/default/events`);
    expect(shown((await metrics()).get('cwx_fake_event_streams'))).to.deep.equal({ '': 1 });
    one.leave();
    await until(() => server.feeds.size === 0);
    const all = await metrics();
    expect(shown(all.get('cwx_fake_event_streams'))).to.deep.equal({ '': 0 });
    expect(shown(all.get('cwx_fake_event_streams_cut_off_total'))).to.deep.equal({ '': 0 });
  });

  it('count refused bodies, by reason', async () => {
    await start({ 'max-body': '100' });
    const post = (body: string | Uint8Array<ArrayBuffer>) =>
      send(server.url + ADD, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await post('{');
    await post('[1,');
    await post(new Uint8Array([0x22, 0xff, 0x22]));
    await post(' '.repeat(200));
    await post(JSON.stringify(joining));
    expect(shown((await metrics()).get('cwx_fake_bodies_refused_total'))).to.deep.equal({
      'not-json': 2,
      'not-utf8': 1,
      'too-large': 1,
    });
  });

  it('name no sandbox, no path and no caller', async () => {
    await start();
    const secret = 'cafe-1234';
    await send(`${server.url}/~${secret}/${secret}?${secret}`, { headers: { 'x-fake-sandbox': secret } });
    await send(`${server.url}/_fake/v1/${secret}`);
    expect((await control('GET', '/metrics')).text).not.to.contain(secret);
  });

  it('belong to one fake each, and exist without a socket', async () => {
    await start();
    const fake = await createFake();
    await fake.sandbox('a').client().groups.addUsers({ body: joining });
    const response = await fake.fetch('/_fake/v1/metrics');
    const all = metricsIn(await response.text());
    await fake.stop();
    expect(shown(all.get('cwx_fake_requests_total'))).to.deep.equal({ 'groups.add-users no 200': 1 });
    expect(shown((await metrics()).get('cwx_fake_requests_total'))).to.deep.equal({});
  });
});

describe('the metrics', () => {
  it('separate a bounded number of statuses of an operation, and count the rest together', () => {
    const metrics = new Metrics();
    const state = {};
    for (let status = 200; status < 600; status += 1) metrics.count(state, status, 0);
    for (let i = 0; i < 10; i += 1) metrics.count(state, 599, 0);
    const answered = metrics.operations.get('none')?.answered;
    expect(answered?.size).to.equal(65);
    expect(answered?.get(263)).to.equal(1);
    expect(answered?.get(OTHER_STATUS)).to.equal(400 - 64 + 10);
  });

  it('put each duration into its bucket: a bound belongs to the bucket below it', () => {
    const metrics = new Metrics();
    for (const seconds of [0, 0.00025, 0.000251, 10, 11]) metrics.count({}, 200, seconds);
    const asked = metrics.operations.get('none');
    expect(asked?.durations).to.deep.equal([2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
    expect(asked?.seconds).to.be.closeTo(21.000501, 1e-9);
  });
});
