// Every endpoint of the control API, done and refused, with the validating proxy Prism between, which holds its published document.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { HttpRequest } from '../../server/derive/call.js';
import type { ControlEndpoint } from '../../server/http/control/endpoint.js';
import { controlEndpoints } from '../../server/http/control/endpoints.js';
import { type Connection, connection } from '../../server/remote/http-connection.js';
import type { Answered } from '../../server/scenario/play/target.js';
import type { Running } from '../../server/start.js';
import { packageFolder } from '../support/built.js';
import { serving } from '../support/server.js';
import { type Exchange, ValidatingProxy } from '../support/validating-proxy.js';

/** What is asked, in this order, with the status that comes; a body that is no JSON stands as text. */
type Asked = readonly [id: string, path: string, status: number, body?: unknown];

const s = '/sandboxes/p';
const done: readonly Asked[] = [
  ['list-scenarios', '/scenarios', 200],
  ['read-openapi', '/openapi.json', 200],
  ['read-control-openapi', '/control-openapi.json', 200],
  ['read-ledger', '/ledger', 200],
  ['read-guide', '/guide', 200],
  [
    'create-sandbox',
    '/sandboxes',
    201,
    { name: 'p', readings: { 'unknown-user': '400' }, clock: '2026-01-05T09:00:00Z' },
  ],
  ['list-sandboxes', '/sandboxes', 200],
  ['describe-sandbox', s, 200],
  ['replace-sandbox', s, 201, { scenario: 'small-team', seed: 7, ttl: 60 }],
  ['read-world', `${s}/world`, 200],
  ['read-world', `${s}/world?at=0`, 200],
  ['patch-world', `${s}/world`, 204, { users: { dave: {} } }],
  ['keep-snapshot', `${s}/snapshots`, 201, { name: 'before' }],
  ['list-snapshots', `${s}/snapshots`, 200],
  ['restore-snapshot', `${s}/snapshots/before/restore`, 200],
  ['drop-snapshot', `${s}/snapshots/before`, 204],
  ['diff-sandbox', `${s}/diff?from=0&to=1`, 200],
  ['rewind-sandbox', `${s}/rewind`, 200, { to: 0 }],
  ['fork-sandbox', `${s}/fork`, 201, { name: 'q' }],
  ['read-clock', `${s}/clock`, 200],
  ['turn-clock', `${s}/clock`, 200, { advance: 'PT1H' }],
  ['read-readings', `${s}/readings`, 200],
  ['choose-readings', `${s}/readings`, 200, { 'view-post': 'add' }],
  ['arm-faults', `${s}/faults`, 200, { faults: [{ operation: 'ppf.push', effect: { status: 503, retryAfter: 1 } }] }],
  ['read-faults', `${s}/faults`, 200],
  ['clear-faults', `${s}/faults`, 200],
  ['play-scenario', `${s}/play`, 200, { scenario: 'first-steps' }],
  ['play-scenario', `${s}/play`, 200, { scenario: 'unlicensed', step: 1 }],
  ['read-journal', `${s}/journal`, 200],
  ['read-journal', `${s}/journal?limit=1&status=403`, 200],
  ['verify-journal', `${s}/journal/verify`, 200, { operation: 'ppf.push', times: { atLeast: 0 } }],
  ['verify-journal', `${s}/journal/verify`, 417, { operation: 'groups.set-users', times: { exactly: 9 } }],
  ['explain-entry', `${s}/explain`, 200, { entry: 1 }],
  ['explain-entry', `${s}/explain`, 200, { entry: 1, readings: { 'ppf-anonymous': '401' } }],
  ['read-capsule', `${s}/capsule`, 200],
  ['clear-journal', `${s}/journal`, 204],
  ['list-provider-states', '/provider-states', 200],
  [
    'change-provider-state',
    '/provider-states',
    200,
    { state: 'user exists', params: { name: 'erin' }, action: 'setup' },
  ],
  ['reset-sandbox', `${s}/reset`, 204],
  ['drop-sandbox', s, 204],
  ['read-metrics', '/metrics', 200],
];

/** Each is refused, and its answer is a problem as documented. */
const refused: readonly Asked[] = [
  ['create-sandbox', '/sandboxes', 409, { name: 'q' }],
  ['create-sandbox', '/sandboxes', 400, { naem: 'q' }],
  ['create-sandbox', '/sandboxes', 400, '{"name":'],
  ['describe-sandbox', '/sandboxes/nobody', 404],
  ['replace-sandbox', '/sandboxes/q', 400, { scenario: 'smal-team' }],
  ['patch-world', '/sandboxes/q/world', 422, { groups: { team: ['nobody'] } }],
  ['read-world', '/sandboxes/q/world?at=99', 404],
  ['keep-snapshot', '/sandboxes/q/snapshots', 400, { name: 'a/b' }],
  ['restore-snapshot', '/sandboxes/q/snapshots/none/restore', 404],
  ['rewind-sandbox', '/sandboxes/q/rewind', 404, { to: 99 }],
  ['diff-sandbox', '/sandboxes/q/diff?from=0&to=99', 404],
  ['fork-sandbox', '/sandboxes/q/fork', 409, { name: 'q' }],
  ['turn-clock', '/sandboxes/q/clock', 400, { advance: 'soon' }],
  ['choose-readings', '/sandboxes/q/readings', 400, { 'view-post': 'ad' }],
  ['arm-faults', '/sandboxes/q/faults', 400, { faults: [{ operation: 'ppf.pushed', effect: { status: 503 } }] }],
  ['play-scenario', '/sandboxes/q/play', 400, { scenario: 'none' }],
  ['verify-journal', '/sandboxes/q/journal/verify', 400, { times: { exactly: -1 } }],
  ['explain-entry', '/sandboxes/q/explain', 404, { entry: 99 }],
  ['change-provider-state', '/provider-states', 404, { state: 'user exist' }],
];

/** It never ends, and a proxy that waits for the whole answer would wait for ever. */
const endless = ['read-events'];

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
    return proxy.pass(request, async asked => (await wire.send(asked)) satisfies Answered);
  };

  /** Whatever comes otherwise than it stands here, or departs from the document. */
  const departures = async (asked: readonly Asked[], ofRequests: boolean) => {
    const told: string[] = [];
    for (const one of asked) {
      const { answered, ofRequest, ofAnswer } = await ask(one);
      const [id, path, status] = one;
      const departs = [...(ofRequests ? ofRequest : []), ...ofAnswer];
      if (answered.status !== status || departs.length > 0)
        told.push(`${id} ${path}: ${answered.status} ${departs.join('; ')} ${answered.text.slice(0, 200)}`);
    }
    return told;
  };

  it('takes what its document says, and answers so', async () => {
    expect(await departures(done, true)).to.deep.equal([]);
  });

  it('refuses as its document says', async () => {
    expect(await departures(refused, false)).to.deep.equal([]);
  });

  it('is driven whole: every endpoint, with every success that it documents', () => {
    const driven = new Set([...done, ...refused].map(([id, , status]) => `${id} ${status}`));
    const documented = controlEndpoints
      .filter(({ id }) => !endless.includes(id))
      .flatMap(({ id, replies }) =>
        Object.keys(replies)
          .filter(status => Number(status) < 300)
          .map(status => `${id} ${status}`),
      );
    expect(documented.filter(one => !driven.has(one))).to.deep.equal([]);
  });

  it('is published whole: every endpoint with every status', () => {
    const { paths } = published();
    for (const { path, method, replies } of controlEndpoints) {
      const statuses = Object.keys(paths[path]?.[method.toLowerCase()]?.responses ?? {});
      expect(statuses, `${method} ${path}`).to.include.members([...Object.keys(replies), '4XX']);
    }
  });
});

function published(): { paths: Record<string, Record<string, { responses: object }>> } {
  return JSON.parse(readFileSync(`${packageFolder}/contracts/control-openapi.json`, 'utf8')); // written by us, and linted
}

function endpointOf(id: string): ControlEndpoint {
  const endpoint = controlEndpoints.find(one => one.id === id);
  if (endpoint === undefined) throw new Error(`there is no endpoint ${id}`);
  return endpoint;
}
