// Parts of a fault that exclude each other, and where a scenario reports them. Over HTTP and in a program: tests/engine/any-fault.test.ts.
import { expect } from 'chai';
import { pointerOf } from '../../../server/domain/json/json-pointer.js';
import type { Fault } from '../../../server/engine/faults/fault.js';
import { faultSchema } from '../../../server/engine/faults/fault.js';
import { schemaErrors } from '../../../server/engine/request/validate.js';
import { faultErrors } from '../../../server/scenario/checks/step-checks.js';
import { problemsIn } from '../../support/files/files.js';
import { smallTeam } from '../../support/worlds/ask.js';

/** The places of its errors. */
const errors = (fault: Fault) => {
  expect(schemaErrors(faultSchema, fault), 'each part of it fits').to.deep.equal([]);
  return faultErrors(fault, [], { world: smallTeam }).map(({ path }) => pointerOf(path));
};
const push = (effect: Fault['effect'], more: Partial<Fault> = {}): Fault => ({
  operation: 'ppf.push',
  effect,
  ...more,
});

const at = (path: string, effect: Fault['effect']): Fault => ({ path, effect });

describe('a fault whose parts exclude each other', () => {
  /** With what excludes something else. */
  const wrong: ReadonlyArray<readonly [fault: Fault, ...places: string[]]> = [
    [push({ status: 304, body: 'a' }), '/effect/body'],
    [push({ body: 'hé', truncateAt: 3 }), '/effect/truncateAt'],
    [push({ body: { a: 1 }, truncateAt: 90 }), '/effect/truncateAt'],
    [push({ partial: { succeed: 1 }, hangUp: true }), '/effect/hangUp'],
    [push({ retryAfter: 1, headers: { 'retry-after': '2' } }), '/effect/headers/retry-after'],
    [push({ delay: [20, 10] }), '/effect/delay'],
    [at('/rest/*/latest/push?a=b', { status: 500 }), '/path'],
    [push({ status: 500 }, { caller: 'alcie' }), '/caller'],
    [
      push({ hangUp: true, status: 503, headers: { A: 'b' }, truncateAt: 3, delay: 1 }),
      ...['/effect/status', '/effect/headers', '/effect/truncateAt'],
    ],
    [
      push({ hangUp: true, body: null, retryAfter: 1, garble: true, dribble: { bytes: 1, every: 1 } }),
      ...['/effect/body', '/effect/retryAfter', '/effect/garble', '/effect/dribble'],
    ],
    [
      push({ status: 204, body: '', truncateAt: 0, garble: true, dribble: { bytes: 1, every: 1 } }),
      ...['/effect/body', '/effect/truncateAt', '/effect/garble', '/effect/dribble'],
    ],
    [
      push({ partial: { succeed: 1 }, status: 500, body: 'a' }, { phase: 'before' }),
      ...['/effect/status', '/effect/body'],
    ],
    [{ operation: 'groups.add-users', effect: { partial: { succeed: 1 } } }, '/effect/partial'],
    [at('/rest/cwxapiextension/latest/groups/add-users', { partial: { succeed: 1 } }), '/effect/partial'],
    [
      push({ headers: { 'Content-Length': '1', Trailer: 'a', 'a b': 'c', D: 'e\r\nF: g' } }),
      ...['/effect/headers/Content-Length', '/effect/headers/Trailer', '/effect/headers/a b', '/effect/headers/D'],
    ],
    [at('/_fake/v1/sandboxes', { status: 500 }), '/path'],
    [at('/~a/_fake/v1/provider-states', { status: 500 }), '/path'],
  ];

  it('is refused, with each place', () => {
    for (const [fault, ...places] of wrong) expect(errors(fault), JSON.stringify(fault)).to.deep.equal(places);
  });

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
  const says = 'hangUp ends the connection without a response, so status has no effect: use one of the two.';

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
});
