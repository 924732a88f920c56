// Parts of a fault that exclude each other: reported alike in a scenario, over HTTP and in a program.
import { expect } from 'chai';
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

describe('a fault whose parts exclude each other', () => {
  const cases: Record<string, readonly [fault: Fault, says: readonly string[]]> = {
    'a response where there is none': [
      push({ hangUp: true, status: 503, headers: { A: 'b' }, truncateAt: 3, delay: 1 }),
      ['status', 'headers', 'truncateAt'].map(
        part =>
          `/effect/${part} hangUp ends the connection without a response, so ${part} has no effect: use one of the two.`,
      ),
    ],
    'all the others with a hang-up': [
      push({ hangUp: true, body: null, retryAfter: 1, garble: true, dribble: { bytes: 1, every: 1 } }),
      ['body', 'retryAfter', 'garble', 'dribble'].map(
        part =>
          `/effect/${part} hangUp ends the connection without a response, so ${part} has no effect: use one of the two.`,
      ),
    ],
    'a body where there is none': [
      push({ status: 204, body: '', truncateAt: 0, garble: true, dribble: { bytes: 1, every: 1 } }),
      [
        ...['body', 'truncateAt', 'garble', 'dribble'].map(
          part =>
            `/effect/${part} A response with the status 204 has no body, so ${part} has no effect: use another status, or omit ${part}.`,
        ),
      ],
    ],
    'not modified, with a body': [
      push({ status: 304, body: 'a' }),
      [
        '/effect/body A response with the status 304 has no body, so body has no effect: use another status, or omit body.',
      ],
    ],
    'a cut behind the end': [
      push({ body: 'hé', truncateAt: 3 }),
      ['/effect/truncateAt The body has only 3 bytes, so truncateAt 3 cuts nothing off: use a smaller number.'],
    ],
    'a cut behind the end of JSON': [
      push({ body: { a: 1 }, truncateAt: 90 }),
      ['/effect/truncateAt The body has only 7 bytes, so truncateAt 90 cuts nothing off: use a smaller number.'],
    ],
    'a part of what has no parts': [
      { operation: 'groups.add-users', effect: { partial: { succeed: 1 } } },
      ['/effect/partial partial works only for the filters and dashboards of ppf.push and ppf.pull.'],
    ],
    'a part at a path that has none': [
      { path: '/rest/cwxapiextension/latest/groups/add-users', effect: { partial: { succeed: 1 } } },
      ['/effect/partial partial works only for the filters and dashboards of ppf.push and ppf.pull.'],
    ],
    'a part of which nobody is told, where nothing is applied': [
      push({ partial: { succeed: 1 }, hangUp: true }),
      ['/effect/hangUp With hangUp nothing is applied, not even partially, unless the fault has "phase: after".'],
    ],
    'a part and another response, where nothing is applied': [
      push({ partial: { succeed: 1 }, status: 500, body: 'a' }, { phase: 'before' }),
      ['status', 'body'].map(
        part =>
          `/effect/${part} With ${part} nothing is applied, not even partially, unless the fault has "phase: after".`,
      ),
    ],
    'Retry-After twice': [
      push({ retryAfter: 1, headers: { 'retry-after': '2' } }),
      ['/effect/headers/retry-after retryAfter sets this header already: use one of the two.'],
    ],
    'headers of the connection': [
      push({ headers: { 'Content-Length': '1', Trailer: 'a' } }),
      ['Content-Length', 'Trailer'].map(
        name =>
          `/effect/headers/${name} ${name} belongs to the connection: whoever sends the message sets it by its body.`,
      ),
    ],
    'headers that are none': [
      push({ headers: { 'a b': 'c', D: 'e\r\nF: g' } }),
      [
        '/effect/headers/a b "a b" is no name of a header.',
        '/effect/headers/D A header cannot hold "\\r": expected ASCII on one line.',
      ],
    ],
    'a delay to before it begins': [
      push({ delay: [20, 10] }),
      ['/effect/delay The minimum is larger than the maximum.'],
    ],
    'a path with a query': [
      { path: '/rest/*/latest/push?a=b', effect: { status: 500 } },
      ['/path A path has no query: requests match with any query.'],
    ],
    'the control API': [
      { path: '/_fake/v1/sandboxes', effect: { status: 500 } },
      ['/path The control API has no faults and no stubs.'],
    ],
    'the control API of a sandbox': [
      { path: '/~a/_fake/v1/provider-states', effect: { status: 500 } },
      ['/path The control API has no faults and no stubs.'],
    ],
    'an unknown caller': [
      push({ status: 500 }, { caller: 'alcie' }),
      [
        '/caller Unknown user "alcie" (did you mean "alice"?): expected one of admin, alice, anonymous, carol, demouser1, demouser2.',
      ],
    ],
  };
  for (const [what, [fault, says]] of Object.entries(cases)) {
    it(what, () => expect(errors(fault)).to.deep.equal(says));
  }

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

  it('is refused in a program, and the armed faults stay', async () => {
    const fake = await createFake();
    const sandbox = fake.sandbox();
    const error = await failure(sandbox.faults.set([clash]), FakeError);
    expect(error.problems).to.deep.equal([{ message: says, pointer: '/faults/0/effect/status' }]);
    expect(await sandbox.faults.list()).to.deep.equal([]);
    await fake.stop();
  });
});
