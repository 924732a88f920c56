// Parts of a fault that exclude each other: reported alike in a scenario, over HTTP and in a program.
import { expect } from 'chai';
import { headerNameError, headerValueError } from '../../../server/derive/sending/sending.js';
import { pointerOf } from '../../../server/domain/json/json-pointer.js';
import type { Fault } from '../../../server/engine/faults/fault.js';
import { faultSchema } from '../../../server/engine/faults/fault.js';
import { schemaErrors } from '../../../server/engine/request/validate.js';
import { createFake, FakeError } from '../../../server/index.js';
import { faultErrors } from '../../../server/scenario/checks/step-checks.js';
import { problemsIn } from '../../support/files/files.js';
import { smallTeam } from '../../support/worlds/ask.js';
import { failure } from '../../support/worlds/failure.js';

const errors = (fault: Fault) => {
  expect(schemaErrors(faultSchema, fault), 'each part of it fits').to.deep.equal([]);
  return faultErrors(fault, [], { world: smallTeam }).map(({ path, message }) => `${pointerOf(path)} ${message}`);
};
const push = (effect: Fault['effect'], more: Partial<Fault> = {}): Fault => ({
  operation: 'ppf.push',
  effect,
  ...more,
});

const at = (path: string, effect: Fault['effect']): Fault => ({ path, effect });
const unheard = (part: string) =>
  `hangUp ends the connection without a response, so ${part} has no effect: use one of the two.`;

describe('a fault whose parts exclude each other', () => {
  /** By the one error of each. */
  const wrong: Readonly<Record<string, Fault>> = {
    '/effect/body A response with the status 304 has no body, so body has no effect: use another status, or omit body.':
      push({ status: 304, body: 'a' }),
    '/effect/truncateAt The body has only 3 bytes, so truncateAt 3 has no effect: use a smaller number.': push({
      body: 'hé',
      truncateAt: 3,
    }),
    '/effect/truncateAt The body has only 7 bytes, so truncateAt 90 has no effect: use a smaller number.': push({
      body: { a: 1 },
      truncateAt: 90,
    }),
    '/effect/hangUp With hangUp, the request is not even partially applied: omit hangUp, or add "phase: after".': push({
      partial: { succeed: 1 },
      hangUp: true,
    }),
    '/effect/headers/retry-after retryAfter sets this header already: use one of the two.': push({
      retryAfter: 1,
      headers: { 'retry-after': '2' },
    }),
    '/effect/delay The minimum must not be larger than the maximum.': push({ delay: [20, 10] }),
    '/path A path cannot contain a query: it matches requests with any query.': at('/rest/*/latest/push?a=b', {
      status: 500,
    }),
    '/caller Unknown user "alcie" (did you mean "alice"?): expected admin, alice, anonymous, carol, demouser1 or demouser2.':
      push({ status: 500 }, { caller: 'alcie' }),
  };
  it('is refused', () => {
    for (const [says, fault] of Object.entries(wrong)) expect(errors(fault)).to.deep.equal([says]);
  });

  const parts: ReadonlyArray<readonly [fault: Fault, wrong: readonly string[], says: (part: string) => string]> = [
    [
      push({ hangUp: true, status: 503, headers: { A: 'b' }, truncateAt: 3, delay: 1 }),
      ['status', 'headers', 'truncateAt'],
      unheard,
    ],
    [
      push({ hangUp: true, body: null, retryAfter: 1, garble: true, dribble: { bytes: 1, every: 1 } }),
      ['body', 'retryAfter', 'garble', 'dribble'],
      unheard,
    ],
    [
      push({ status: 204, body: '', truncateAt: 0, garble: true, dribble: { bytes: 1, every: 1 } }),
      ['body', 'truncateAt', 'garble', 'dribble'],
      part =>
        `A response with the status 204 has no body, so ${part} has no effect: use another status, or omit ${part}.`,
    ],
    [
      push({ partial: { succeed: 1 }, status: 500, body: 'a' }, { phase: 'before' }),
      ['status', 'body'],
      part => `With ${part}, the request is not even partially applied: omit ${part}, or add "phase: after".`,
    ],
  ];
  for (const [fault, wrong, says] of parts)
    it(`is refused for each of ${wrong.join(', ')} in ${JSON.stringify(fault.effect)}`, () =>
      expect(errors(fault)).to.deep.equal(wrong.map(part => `/effect/${part} ${says(part)}`)));

  for (const fault of [
    { operation: 'groups.add-users', effect: { partial: { succeed: 1 } } },
    at('/rest/cwxapiextension/latest/groups/add-users', { partial: { succeed: 1 } }),
  ] as const)
    it(`has no parts where there are no items: ${JSON.stringify(fault)}`, () =>
      expect(errors(fault)).to.deep.equal([
        '/effect/partial partial works only for the filters and dashboards of ppf.push and ppf.pull.',
      ]));

  it('has only headers that can be set and sent', () => {
    expect(
      errors(push({ headers: { 'Content-Length': '1', Trailer: 'a', 'a b': 'c', D: 'e\r\nF: g' } })),
    ).to.deep.equal([
      `/effect/headers/Content-Length ${headerNameError('Content-Length')}`,
      `/effect/headers/Trailer ${headerNameError('Trailer')}`,
      '/effect/headers/a b "a b" is not a valid header name.',
      `/effect/headers/D ${headerValueError('\r')}`,
    ]);
  });

  for (const path of ['/_fake/v1/sandboxes', '/~a/_fake/v1/provider-states'])
    it(`has no effect on the control API: ${path}`, () =>
      expect(errors(at(path, { status: 500 }))).to.deep.equal([
        '/path The path is in the control API, which cannot have faults or stubs.',
      ]));

  it('covers every such pair, and no other', () => {
    const fine: readonly Fault[] = [
      push({ hangUp: true, delay: [1, 1] }),
      push({ status: 503, retryAfter: 1, headers: { 'X-A': 'b' }, body: { a: 1 }, truncateAt: 3, delay: 1 }),
      push({ garble: true, body: 'a', truncateAt: 3, dribble: { bytes: 1, every: 1 } }),
      push({ partial: { succeed: 1 }, delay: 1, headers: { A: 'b' }, dribble: { bytes: 1, every: 1 } }),
      push({ partial: { succeed: 1 }, hangUp: true }, { phase: 'after' }),
      { operation: 'ppf.pull', effect: { partial: { succeed: 0 } } },
      { path: '/rest/cwx-ppf/latest/*', effect: { partial: { succeed: 0 } } },
      { path: '/x', operation: 'ppf.pull', effect: { partial: { succeed: 0 } } },
      push({ status: 304, headers: { ETag: '"a"' }, delay: 1 }),
      { path: '/_fakes', effect: { hangUp: true }, caller: 'anonymous' },
    ];
    expect(fine.flatMap(errors)).to.deep.equal([]);
  });

  const clash = { operation: 'ppf.push', effect: { hangUp: true, status: 503 } } as const;
  const says = unheard('status');

  it('is reported in a scenario, with its place', () => {
    const text = [
      'title: A',
      'fixture: small-team',
      `faults: [${JSON.stringify(clash)}]`,
      'steps:',
      `  - { say: a, call: ppf.push, faults: [${JSON.stringify(clash)}] }`,
    ];
    expect(problemsIn('scenarios/a.yaml', text)).to.deep.equal([`3:67: ${says}`, `5:97: ${says}`]);
  });

  it('is refused in a program, and the armed faults stay', async () => {
    const fake = await createFake();
    const sandbox = fake.sandbox();
    const error = await failure(sandbox.faults.set([clash]), FakeError);
    expect(error.problems).to.deep.equal([{ message: says, pointer: '/faults/0/effect/status' }]);
    expect(await sandbox.faults.list()).to.deep.equal([]);
    await fake.stop();
  });
});
