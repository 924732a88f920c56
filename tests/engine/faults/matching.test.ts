// Which armed faults match a request, and which of several fires, by chance too. Other triggers, and times: tests/model; query, headers and
// body: tests/library/sandbox/stubs.test.ts.

import { expect } from 'chai';
import { type Armed, arm } from '../../../server/engine/faults/armed.js';
import type { Fault } from '../../../server/engine/faults/fault.js';
import { matchArmed } from '../../../server/engine/faults/matching.js';
import { noQuery, type Request } from '../../../server/engine/request/request.js';
import type { Result } from '../../../server/engine/request/result.js';
import { runStages } from '../../../server/engine/request/stages/run-stages.js';
import { advance, begin } from '../../../server/engine/sandbox/state.js';
import { locate } from '../../../server/operations/address.js';
import { endpoints } from '../../../server/operations/catalog/bindings.js';
import { defaultReadings } from '../../../server/operations/gaps/gaps.js';
import { smallTeam } from '../../support/worlds/ask.js';

const context = { world: smallTeam, readings: defaultReadings, now: '2026-01-05T09:00:00Z' };
const status = { status: 503 } as const;

interface Asked {
  readonly url?: string;
  readonly place?: string;
  readonly credentials?: Request['credentials'];
}

function request({
  url = '/rest/cwx-ppf/latest/push',
  place = '/push',
  credentials = as('admin'),
}: Asked = {}): Request {
  return {
    method: 'POST',
    url,
    address: locate(url),
    endpoint: endpoints.find(({ path }) => path === place),
    params: {},
    query: noQuery,
    credentials,
    contentType: 'application/json',
    body: { kind: 'absent' },
  };
}

function as(user: string, password = user): Request['credentials'] {
  return { kind: 'basic', user, password };
}

function meets(fault: Fault, asked: Asked = {}, now = context.now): boolean {
  const about = request(asked);
  const result: Result = runStages(about, context);
  return matchArmed(arm([fault]), about, result, { ...context, now }).matched.length === 1;
}

/** The requests on which each of the faults fires, out of this many. */
function firing(faults: readonly Fault[], turns: number): number[][] {
  let state = { ...begin({ scenario: 'a', world: smallTeam, readings: {} }), faults: arm(faults) as readonly Armed[] };
  const fired: number[][] = faults.map(() => []);
  const one = request();
  const result = runStages(one, context);
  for (let turn = 1; turn <= turns; turn += 1) {
    const meeting = matchArmed(state.faults, one, result, context);
    if (meeting.fired !== undefined) fired[meeting.fired]?.push(turn);
    state = { ...advance(state, { type: 'faults-matched', ...meeting }, { at: () => undefined }) };
  }
  expect(state.faults.map(({ matched }) => matched)).to.deep.equal(faults.map(() => turns));
  expect(state.faults.map(one => one.fired)).to.deep.equal(fired.map(({ length }) => length));
  return fired;
}

const push = (more: Partial<Fault> = {}): Fault => ({ operation: 'ppf.push', effect: status, ...more });

describe('a fault matches a request', () => {
  it('takes a wrong password for anonymous under bad-credentials=anonymous', () => {
    const armed = arm([{ path: '/rest/cwx-ppf/latest/push', caller: 'anonymous', effect: status }]);
    for (const method of ['POST', 'GET'])
      for (const reading of ['anonymous', '401'] as const) {
        const about = { ...request({ credentials: as('carol', 'wrong') }), method };
        const under = { ...context, readings: { ...defaultReadings, 'bad-credentials': reading } };
        const { matched } = matchArmed(armed, about, runStages(about, under), under);
        expect(matched).to.have.length(reading === 'anonymous' ? 1 : 0);
      }
  });

  it('by its operation', () => {
    expect(meets(push())).to.equal(true);
    expect(meets({ operation: 'ppf.pull', effect: status })).to.equal(false);
    expect(meets(push(), { url: '/rest/cwx-ppf/latest/pull', place: '/pull' })).to.equal(false);
    expect(meets(push(), { url: '/nowhere', place: 'none' }), 'no operation at all').to.equal(false);
  });

  it('if it is to any operation or resource, but to none of them elsewhere', () => {
    const any: Fault = { effect: status };
    expect(meets(any)).to.equal(true);
    expect(meets(any, { url: '/nowhere', place: 'none' })).to.equal(false);
    expect(meets({ ...any, path: '/nowhere' }, { url: '/nowhere', place: 'none' })).to.equal(true);
  });

  const paths: ReadonlyArray<readonly [pattern: string, url: string, is: boolean]> = [
    ['/rest/cwx-ppf/latest/push', '/rest/cwx-ppf/latest/push?expand=a', true],
    ['/rest/cwx-ppf/latest/push', '/~job-7/rest/cwx-ppf/latest/push', true],
    ['/rest/cwx-ppf/latest/push', '/jira/rest/cwx-ppf/latest/push', true],
    ['/jira/rest/cwx-ppf/latest/push', '/~job-7/jira/rest/cwx-ppf/latest/push', true],
    ['/jira/rest/cwx-ppf/latest/push', '/rest/cwx-ppf/latest/push', false],
    ['/~job-7/rest/cwx-ppf/latest/push', '/~job-8/rest/cwx-ppf/latest/push', false],
    ['/rest/*/latest/*', '/rest/cwx-ppf/latest/push', true],
    ['/rest/*/latest/*', '/rest/cwxapiextension/latest/groups/add-users', false],
    ['/rest/cwx-ppf/latest/push', '/rest/cwx-ppf/latest/push/', false],
    ['/rest/cwx-ppf/latest/p*', '/rest/cwx-ppf/latest/push', false],
    ['/rest/api/2/myself', '/~job-7/jira/rest/api/2/myself', true],
    ['/rest/api/2/myself', '/rest/api/latest/myself', true],
    ['/rest/api/latest/myself', '/rest/api/2/myself', true],
    ['/*/rest/api/2/myself', '/jira/rest/api/latest/myself', true],
    ['/rest/api/3/myself', '/rest/api/latest/myself', false],
    ['/rest/auth/latest/session', '/rest/auth/1/session', true],
    ['/rest/api/space/*', '/~job-7/wiki/rest/api/space/DS', true],
    ['/cwxapiextension/latest/groups/*', '/wiki/cwxapiextension/latest/groups/add-users', true],
    ['/rest/other/1.0/thing', '/~job-7/wiki/rest/other/1.0/thing', true],
    ['/rest/other/1.0/thing', '/a/b/rest/other/1.0/thing', false],
    ['/nowhere', '/~job-7/nowhere', true],
    ['/nowhere/items', '/~job-7/jira/nowhere/items', true],
    ['/nowhere/items', '/a/jira/nowhere/items', false],
    ['/*/items', '/jira/nowhere/items', true],
    ['/other/1.0/thing', '/rest/other/1.0/thing', false],
    ['/2/myself', '/rest/api/2/myself', false],
  ];
  it('by its path', () => {
    for (const [pattern, url, is] of paths)
      expect(meets({ path: pattern, effect: status }, { url }), `${pattern} ${url}`).to.equal(is);
  });

  const none = { kind: 'none' } as const;
  const wrong = as('carol', 'no');
  const callers: ReadonlyArray<readonly [caller: string, credentials: Request['credentials'], is: boolean]> = [
    ['admin', as('admin'), true],
    ['admin', { kind: 'bearer', token: 'admin-token' }, true],
    ['admin', as('alice'), false],
    ['anonymous', none, true],
    ['anonymous', as('admin'), false],
    ['anonymous', wrong, false],
    ['carol', wrong, false],
    ['admin', none, false],
  ];
  it('by its caller', () => {
    for (const [caller, credentials, is] of callers) {
      const elsewhere: Fault = { path: '/x', caller, effect: status };
      expect(meets(push({ caller }), { credentials }), caller).to.equal(is);
      expect(meets(elsewhere, { url: '/x', place: '', credentials }), `${caller}, anywhere`).to.equal(is);
    }
  });

  it("until an instant of the sandbox's clock, and not from then on", () => {
    const until = '2026-01-05T10:00:00Z';
    expect(meets(push({ until }), {}, '2026-01-05T09:59:59.999Z')).to.equal(true);
    expect(meets(push({ until }), {}, '2026-01-05T10:00:00Z')).to.equal(false);
    expect(meets(push({ until: '2026-01-05T11:00:00+01:00' }), {}, '2026-01-05T10:00:00Z')).to.equal(false);
    expect(meets(push({ until: '2026-01-05T11:00:01+01:00' }), {}, '2026-01-05T10:00:00Z')).to.equal(true);
  });
});

describe('a fault fires', () => {
  it('by chance on the same requests for the same seed, and on others for another', () => {
    const by = (seed: number) => firing([push({ when: { chance: 0.5, seed } })], 40)[0];
    expect(by(7)).to.deep.equal(by(7));
    expect(by(7)).not.to.deep.equal(by(8));
    expect(firing([push({ when: { chance: 0.5, seed: 4_294_967_295 } })], 40)[0]).to.have.length.within(8, 32);
    const [, second] = firing(Array(2).fill(push({ when: { chance: 0.5 } })), 40);
    expect(second, 'not on the same ones as another fault').not.to.deep.equal([]);
    expect(firing([push({ when: { chance: 0 } }), push({ when: { chance: 1 } })], 2)).to.deep.equal([[], [1, 2]]);
  });

  it('one at a time: the first one due, and the others count the request all the same', () => {
    expect(firing([push({ when: { nth: 2 } }), push({ when: { first: 3 } })], 5)).to.deep.equal([[2], [1, 3]]);
    expect(firing([push({ times: 2 }), push({ times: 2 })], 6)).to.deep.equal([
      [1, 2],
      [3, 4],
    ]);
  });
});
