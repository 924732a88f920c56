// Every endpoint of the control API, with successes and refusals, through the validating proxy Prism with its published document.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Action } from '../../../server/control/actions/action.js';
import { actions } from '../../../server/control/actions.js';
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { type Connection, connection } from '../../../server/library/port/http-connection.js';
import type { Running } from '../../../server/process/start.js';
import type { RawResponse } from '../../../server/scenario/play/target.js';
import { packageFolder } from '../../support/processes/built.js';
import { serving } from '../../support/wire/server.js';
import { type Exchange, ValidatingProxy } from './validating-proxy.js';

/** The requests in order, with the expected statuses; a body that is not JSON is given as text. */
type Asked = readonly [id: string, path: string, status: number, body?: unknown];

const s = '/sandboxes/p';
const done: readonly Asked[] = [
  ['scenarios.list', '/scenarios', 200],
  ['openapi.read', '/openapi.json', 200],
  ['control-openapi.read', '/control-openapi.json', 200],
  ['ledger.read', '/ledger', 200],
  ['guide.read', '/guide', 200],
  [
    'sandboxes.create',
    '/sandboxes',
    201,
    { name: 'p', readings: { 'unknown-user': '400' }, clock: '2026-01-05T09:00:00Z' },
  ],
  ['sandboxes.list', '/sandboxes', 200],
  ['sandboxes.describe', s, 200],
  ['sandboxes.replace', s, 201, { scenario: 'small-team', seed: 7, ttl: 60 }],
  ['world.read', `${s}/world`, 200],
  ['world.read', `${s}/world?at=0`, 200],
  ['world.patch', `${s}/world`, 204, { users: { dave: {} } }],
  ['snapshots.keep', `${s}/snapshots`, 201, { name: 'before' }],
  ['snapshots.list', `${s}/snapshots`, 200],
  ['snapshots.restore', `${s}/snapshots/before/restore`, 200],
  ['snapshots.drop', `${s}/snapshots/before`, 204],
  ['sandboxes.diff', `${s}/diff?from=0&to=1`, 200],
  ['sandboxes.rewind', `${s}/rewind`, 200, { to: 0 }],
  ['sandboxes.fork', `${s}/fork`, 201, { name: 'q' }],
  ['clock.read', `${s}/clock`, 200],
  ['clock.set', `${s}/clock`, 200, { advance: 'PT1H' }],
  ['readings.read', `${s}/readings`, 200],
  ['readings.set', `${s}/readings`, 200, { 'view-post': 'add' }],
  ['faults.set', `${s}/faults`, 200, { faults: [{ operation: 'ppf.push', effect: { status: 503, retryAfter: 1 } }] }],
  ['faults.list', `${s}/faults`, 200],
  ['faults.set', `${s}/faults`, 200, { faults: [{ operation: 'ppf.push', effect: { hold: 'spinner' } }] }],
  ['faults.release', `${s}/faults/release`, 200, { hold: 'spinner' }],
  ['faults.clear', `${s}/faults`, 200],
  ['stubs.set', `${s}/stubs`, 200, { stubs: [{ path: '/plugins/servlet/x', status: 201, body: 'ok' }] }],
  ['stubs.list', `${s}/stubs`, 200],
  ['stubs.clear', `${s}/stubs`, 200],
  ['play', `${s}/play`, 200, { scenario: 'first-steps' }],
  ['play', `${s}/play`, 200, { scenario: 'unlicensed', step: 1 }],
  ['journal.read', `${s}/journal`, 200],
  ['journal.read', `${s}/journal?limit=1&status=403`, 200],
  ['journal.verify', `${s}/journal/verify`, 200, { operation: 'ppf.push', times: { atLeast: 0 } }],
  ['journal.verify', `${s}/journal/verify`, 417, { operation: 'groups.set-users', times: { exactly: 9 } }],
  ['journal.explain', `${s}/explain`, 200, { entry: 1 }],
  ['journal.explain', `${s}/explain`, 200, { entry: 1, readings: { 'ppf-anonymous': '401' } }],
  ['record.read', `${s}/recording`, 200],
  ['journal.clear', `${s}/journal`, 204],
  ['provider-states.list', '/provider-states', 200],
  [
    'provider-states.change',
    '/provider-states',
    200,
    { state: 'user exists', params: { name: 'erin' }, action: 'setup' },
  ],
  ['sandboxes.reset', `${s}/reset`, 204],
  ['sandboxes.drop', s, 204],
  ['metrics.read', '/metrics', 200],
  ['coverage.read', '/coverage', 200],
];

/** Each is refused, and its response is a problem as documented. */
const refused: readonly Asked[] = [
  ['sandboxes.create', '/sandboxes', 409, { name: 'q' }],
  ['sandboxes.create', '/sandboxes', 400, { naem: 'q' }],
  ['sandboxes.create', '/sandboxes', 400, '{"name":'],
  ['sandboxes.describe', '/sandboxes/nobody', 404],
  ['sandboxes.replace', '/sandboxes/q', 400, { scenario: 'smal-team' }],
  ['world.patch', '/sandboxes/q/world', 422, { groups: { team: ['nobody'] } }],
  ['world.read', '/sandboxes/q/world?at=99', 404],
  ['snapshots.keep', '/sandboxes/q/snapshots', 400, { name: 'a/b' }],
  ['snapshots.restore', '/sandboxes/q/snapshots/none/restore', 404],
  ['sandboxes.rewind', '/sandboxes/q/rewind', 404, { to: 99 }],
  ['sandboxes.diff', '/sandboxes/q/diff?from=0&to=99', 404],
  ['sandboxes.fork', '/sandboxes/q/fork', 409, { name: 'q' }],
  ['clock.set', '/sandboxes/q/clock', 400, { advance: 'soon' }],
  ['readings.set', '/sandboxes/q/readings', 400, { 'view-post': 'ad' }],
  ['faults.set', '/sandboxes/q/faults', 400, { faults: [{ operation: 'ppf.pushed', effect: { status: 503 } }] }],
  ['faults.release', '/sandboxes/q/faults/release', 404, { hold: 'none' }],
  ['play', '/sandboxes/q/play', 400, { scenario: 'none' }],
  ['journal.verify', '/sandboxes/q/journal/verify', 400, { times: { exactly: -1 } }],
  ['journal.explain', '/sandboxes/q/explain', 404, { entry: 99 }],
  ['provider-states.change', '/provider-states', 404, { state: 'user exist' }],
];

/** It never ends, and a proxy that buffers the whole response would wait for ever. */
const endless = ['events.read'];

describe('the control API, through the validating proxy Prism', function () {
  this.timeout(60_000);
  let server: Running;
  let wire: Connection;
  let proxy: ValidatingProxy;
  before(async () => {
    server = await serving();
    wire = connection(server.url);
    proxy = await ValidatingProxy.start(published());
  });
  after(async () => {
    await proxy.stop();
    wire.close();
    await server.stop();
  });

  const ask = ([id, path, , body]: Asked): Promise<Exchange> => {
    const endpoint = endpointOf(id);
    const request: HttpRequest = {
      method: endpoint.method,
      path: `/_fake/v1${path}`,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    };
    return proxy.pass(request, async asked => (await wire.send(asked)) satisfies RawResponse);
  };

  /** Unexpected responses, and violations of the document. */
  const violations = async (asked: readonly Asked[], ofRequests: boolean) => {
    const reported: string[] = [];
    for (const one of asked) {
      const { answered, ofRequest, ofResponse } = await ask(one);
      const [id, path, status] = one;
      const violations = [...(ofRequests ? ofRequest : []), ...ofResponse];
      if (answered.status !== status || violations.length > 0)
        reported.push(`${id} ${path}: ${answered.status} ${violations.join('; ')} ${answered.text.slice(0, 200)}`);
    }
    return reported;
  };

  it('accepts documented requests, and answers as documented', async () => {
    expect(await violations(done, true)).to.deep.equal([]);
  });

  it('refuses requests as documented', async () => {
    expect(await violations(refused, false)).to.deep.equal([]);
  });

  it('is called completely: every endpoint, with every documented success', () => {
    const driven = new Set([...done, ...refused].map(([id, , status]) => `${id} ${status}`));
    const documented = actions
      .filter(({ id }) => !endless.includes(id))
      .flatMap(({ id, replies }) =>
        replies.filter(({ status }) => status < 300).map(({ status }) => `${id} ${status}`),
      );
    expect(documented.filter(one => !driven.has(one))).to.deep.equal([]);
  });

  it('is published completely: every endpoint with every status', () => {
    const { paths } = published();
    for (const { path, method, replies } of actions) {
      const statuses = Object.keys(paths[path]?.[method.toLowerCase()]?.responses ?? {});
      expect(statuses, `${method} ${path}`).to.include.members([...replies.map(({ status }) => String(status)), '4XX']);
    }
  });
});

function published(): { paths: Record<string, Record<string, { responses: object }>> } {
  return JSON.parse(readFileSync(`${packageFolder}/contracts/control-openapi.json`, 'utf8')); // our own document, which is linted
}

function endpointOf(id: string): Action {
  const endpoint = actions.find(one => one.id === id);
  if (endpoint === undefined) throw new Error(`there is no endpoint ${id}`);
  return endpoint;
}
