// biome-ignore-all lint/suspicious/noTemplateCurlyInString: so placeholders are written
// Problems of a scenario: its world, readings, clock and faults, and steps that cannot be played.
import { expect } from 'chai';
import { places, problemsIn } from '../../support/files/files.js';

describe('a scenario with problems', () => {
  const problemsOf = (...lines: readonly string[]) =>
    problemsIn('scenarios/mine.yaml', ['title: Mine', 'fixture: small-team', ...lines]);
  const problemsOfSteps = (...lines: readonly string[]) => problemsOf('steps:', ...lines.map(line => `  ${line}`));

  /** What is reported: the places, and the lines of a scenario after its fixture. */
  const rows: Readonly<Record<string, readonly [places: string, ...lines: string[]]>> = {
    'invalid readings of a step, which would be ignored silently': [
      '4:43 unknown-user, 4:76 skip, 5:57, 6:41',
      'steps:',
      '  - { say: a, call: ppf.push, readings: { unknown-usr: skip, unknown-user: skipp } }',
      '  - { say: b, call: ppf.push, readings: { unknown-user: [skip] } }',
      '  - { say: c, call: ppf.push, readings: [unknown-user=skip] }',
    ],
    'unknown names in its world and in that of a step': [
      '4:25 alice, 4:33, 5:3 users, 6:24 ds, 8:40 expired',
      'world:',
      '  groups: { customers: [alcie], gone: }',
      '  user: {}',
      '  pages: { 7: { space: dss, title: T } }',
      'steps:',
      '  - { say: a, world: { licence: { ppf: expird } } }',
    ],
    'unknown operations, rules, callers and path parameters': [
      '4:19 alice, 5:21 ppf.push, 6:21, 6:51 pageId, 7:40 ppf.push, 8:39, 9:5',
      'steps:',
      '  - { say: a, as: alcie, call: ppf.push, proves: [ppf.push] }',
      '  - { say: b, call: ppf.psh }',
      '  - { say: c, call: permissions.edit-add, path: { pageid: 1 } }',
      '  - { say: d, call: ppf.push, proves: [ppf.pushes] }',
      '  - { say: e, call: ppf.push, path: { pageId: 1 } }',
      '  - { call: ppf.push }',
    ],
    'steps with two requests, or with expectations but no request': [
      '4:31, 5:15, 5:25, 5:50, 5:70, 6:46, 7:19',
      'steps:',
      '  - { say: a, call: ppf.push, request: { method: POST, path: /x } }',
      '  - { say: b, body: {}, expect: { status: 200 }, proves: [ppf.push], capture: { x: /a } }',
      '  - { say: c, request: { method: POST, path: x } }',
      '  - { say: d, as: { user: admin }, call: ppf.push }',
      '  - { say: e, then: { users: { bob: { $absent: true } } } }',
    ],
    'invalid expectations': [
      '6:23, 6:46 string, 6:61 $match, 6:77, 9:31 integer, 9:41 status, 10:13 favourites, 10:51 dashboards, 10:77 $contains',
      'steps:',
      '  - say: a',
      '    call: ppf.push',
      '    expect: { status: ok, body: { a: { $any: strin }, b: [{ $mach: x }], c: { $any: string, d: 1 } } }',
      '  - say: b',
      '    call: ppf.push',
      '    expect: { status: { $any: integr }, statu: 200 }',
      '    then: { favourite: {}, favourites: { alice: { dashboard: [], filters: { $contain: [1] } } } }',
    ],
    'faults that match nothing or do nothing': [
      '4:18 ppf.push, 5:15, 6:23, 6:62, 6:75, 7:36, 7:49, 8:91, 10:48, 10:58, 10:84',
      'faults:',
      '  - { operation: ppf.psh, effect: { status: 503 } }',
      '  - { effect: {} }',
      '  - { path: /x, when: { nth: 1, first: 2 }, effect: { delay: [1], hangUp: false, partial: { succeed: 1 } } }',
      '  - { operation: ppf.push, caller: bobb, until: 2026-02-30T09:00:00Z, effect: { delay: 5 } }',
      '  - { operation: ppf.push, caller: bobb, until: 2026-02-30T09:00:00Z, effect: { delay: 5, dribble: { bytes: 1 } } }',
      'steps:',
      '  - { say: a, call: ppf.push, faults: [{ path: x, phase: during, effect: { status: 99 } }] }',
    ],
    'stubs that would never answer, and parts in the wrong place': [
      '4:13, 5:17, 6:5, 8:59, 8:86, 9:78 id',
      'stubs:',
      '  - { path: /rest/api/space }',
      '  - { path: /x, response: { status: 200 } }',
      '  - { method: GET }',
      'steps:',
      '  - { say: a, call: ppf.push, stubs: [{ path: /x, caller: nobody, status: 204, body: 1 }] }',
      '  - { say: a, call: ppf.push, stubs: [{ path: /x, body: { run: "${run}", id: "${ids}" } }] }',
    ],
  };
  for (const [what, [where, ...lines]] of Object.entries(rows))
    it(`reports ${what}`, () => {
      expect(places(problemsOf(...lines))).to.equal(where);
    });

  it('reports unknown readings and gaps, and invalid clocks', () => {
    const problems = problemsOf(
      'readings: { unknown-usr: 400, unknown-user: 500, wiki-auth: [x], context-path: wiki }',
      'clock: 2026-02-30T09:00:00Z',
      'gap: unknown-usr',
    );
    expect(places(problems)).to.equal('3:13 unknown-user, 3:45 400, 3:61, 3:80, 4:8, 5:6 unknown-user');
    expect(places(problemsOf('readings: [unknown-user]', 'clock: 2026-01-05'))).to.equal('3:11, 4:8');
  });

  it('reports the problems of its fixture there, and its own', () => {
    const text = 'title: Mine\nfixture: base\nstep: []\n';
    expect(
      places(problemsIn('scenarios/mine.yaml', text, { 'fixtures/base.yaml': 'users: { a: { admin: 1 } }\n' })),
    ).to.equal('3:1 steps, fixtures/base.yaml:1:22');
  });

  it('reports references to values no earlier step captured', () => {
    const reference = (name: string) => `$\{${name}}`;
    const problems = problemsOfSteps(
      `- { say: "${reference('said')}", call: ppf.push, capture: { "a b": / }, body: {} }`,
      `- { say: b, call: ppf.push, capture: { id: /id }, body: { users: ["${reference('id')}"] } }`,
      `- { say: c, call: ppf.push, body: { users: ["${reference('id')}", "x ${reference('ids')} ${reference('')}"] } }`,
    );
    expect(places(problems)).to.equal('4:50, 5:69, 6:56 id, 6:56');
  });

  it('reports missing and unknown readings of a probe, and probes without a gap', () => {
    const probe = '{ say: a, call: ppf.push, for: { "40": {}, "404": {}, skip: { expect: { status: 1 } } } }';
    expect(problemsOfSteps(`- ${probe}`)).to.deep.equal([
      '4:85: /steps/0/for/skip/expect/status must be at least 100, not 1.',
    ]);
    const good = probe.replace('status: 1', 'status: 200');
    expect(problemsOfSteps(`- ${good}`)).to.deep.equal([
      '4:31: The key `for` requires a gap, but the scenario has none.',
    ]);
    expect(places(problemsOf('gap: unknown-user', 'steps:', `  - ${good}`))).to.equal(
      '5:31, 5:31, 5:31, 5:31, 5:38 404',
    );
  });

  it('reports holds that the steps would wait for', () => {
    const hold = '{ operation: ppf.push, effect: { hold: spinner } }';
    const step = `{ say: a, call: ppf.push, faults: [${hold}] }`;
    expect(places(problemsOf('faults:', `  - ${hold}`, 'steps:', `  - ${step}`))).to.equal('4:44, 6:79');
  });
});
