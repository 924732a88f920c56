// biome-ignore-all lint/suspicious/noTemplateCurlyInString: so placeholders are written
// Problems of a scenario: its world, readings, clock and faults, and steps that cannot be played.
import { expect } from 'chai';
import { operationIds, rules } from '../../../server/operations/catalog/catalog.js';
import { gapIds } from '../../../server/operations/gaps/gaps.js';
import { problemsIn } from '../../support/files/files.js';

describe('a scenario with problems', () => {
  const problemsOf = (...lines: readonly string[]) =>
    problemsIn('scenarios/mine.yaml', ['title: Mine', 'fixture: small-team', ...lines]);
  const problemsOfSteps = (...lines: readonly string[]) => problemsOf('steps:', ...lines.map(line => `  ${line}`));

  it('reports unknown readings and gaps, and invalid clocks', () => {
    const problems = problemsOf(
      'readings: { unknown-usr: 400, unknown-user: 500, wiki-auth: [x], context-path: wiki }',
      'clock: 2026-02-30T09:00:00Z',
      'gap: unknown-usr',
    );
    expect(problems).to.deep.equal([
      '3:13: Unknown gap "unknown-usr" (did you mean "unknown-user"?).',
      '3:45: unknown-user has no reading "500" (did you mean "400"?): expected 404, 400, 403, skip, message or create.',
      '3:61: wiki-auth must be the name of a reading, not a list of length 1.',
      '3:80: context-path has no reading "wiki": expected any, none or a literal path such as /wiki.',
      '4:8: 2026-02-30 is not a valid date.',
      `5:6: /gap must be one of the ${gapIds.length} allowed names, not "unknown-usr" (did you mean "unknown-user"?).`,
    ]);
    expect(problemsOf('readings: [unknown-user]', 'clock: 2026-01-05')).to.deep.equal([
      '3:11: Readings must be written as gap: reading, not as a list of length 1.',
      '4:8: /clock must be an instant in UTC, such as 2026-01-05T09:00:00Z, not "2026-01-05".',
    ]);
  });

  it('reports invalid readings of a step, which would be ignored silently', () => {
    const problems = problemsOfSteps(
      '- { say: a, call: ppf.push, readings: { unknown-usr: skip, unknown-user: skipp } }',
      '- { say: b, call: ppf.push, readings: { unknown-user: [skip] } }',
      '- { say: c, call: ppf.push, readings: [unknown-user=skip] }',
    );
    expect(problems).to.deep.equal([
      '4:43: Unknown gap "unknown-usr" (did you mean "unknown-user"?).',
      '4:76: unknown-user has no reading "skipp" (did you mean "skip"?): expected 404, 400, 403, skip, message or create.',
      '5:57: unknown-user must be the name of a reading, not a list of length 1.',
      '6:41: Readings must be written as gap: reading, not as a list of length 1.',
    ]);
  });

  it('reports unknown names in its world and in that of a step', () => {
    const problems = problemsOf(
      'world:',
      '  groups: { customers: [alcie], gone: }',
      '  user: {}',
      '  pages: { 7: { space: dss, title: T } }',
      'steps:',
      '  - { say: a, world: { licence: { ppf: expird } } }',
    );
    expect(problems).to.deep.equal([
      '4:25: Unknown user "alcie" (did you mean "alice"?): expected admin, alice, carol, demouser1 or demouser2.',
      '4:33: An empty value removes the record. Unknown group "gone": expected customers, jira-core-users or team-members.',
      '5:3: Unknown key "user" (did you mean "users"?): expected users, groups, spaces, pages, filters, dashboards, favourites, licence or nextPageId.',
      '6:24: Unknown space "dss" (did you mean "ds"?): expected ds or tmpl.',
      '8:40: /steps/0/world/licence/ppf must be one of valid, expired or none, not "expird" (did you mean "expired"?).',
    ]);
  });

  it('reports the problems of its fixture there, and its own', () => {
    const text = 'title: Mine\nfixture: base\nstep: []\n';
    expect(
      problemsIn('scenarios/mine.yaml', text, { 'fixtures/base.yaml': 'users: { a: { admin: 1 } }\n' }),
    ).to.deep.equal([
      '3:1: Unknown key "step" (did you mean "steps"?): expected title, about, fixture, world, profile, readings, clock, faults, stubs, gap or steps.',
      'fixtures/base.yaml:1:22: /users/a/admin must be true or false, not 1.',
    ]);
  });

  it('reports unknown operations, rules, callers and path parameters', () => {
    const problems = problemsOfSteps(
      '- { say: a, as: alcie, call: ppf.push, proves: [ppf.push] }',
      '- { say: b, call: ppf.psh }',
      '- { say: c, call: permissions.edit-add, path: { pageid: 1 } }',
      '- { say: d, call: ppf.push, proves: [ppf.pushes] }',
      '- { say: e, call: ppf.push, path: { pageId: 1 } }',
      '- { call: ppf.push }',
    );
    expect(problems).to.deep.equal([
      '4:19: Unknown user "alcie" (did you mean "alice"?): expected admin, alice, anonymous, carol, demouser1 or demouser2.',
      `5:21: /steps/1/call must be one of the ${operationIds.length} allowed names, not "ppf.psh" (did you mean "ppf.push"?).`,
      '6:21: permissions.edit-add requires the path parameter pageId: add path: { pageId: … } to the step.',
      '6:51: Unknown path parameter "pageid" (did you mean "pageId"?): permissions.edit-add has the path parameter pageId.',
      `7:40: /steps/3/proves/0 must be one of the ${Object.keys(rules).length} allowed names, not "ppf.pushes" (did you mean "ppf.push"?).`,
      '8:39: Unknown path parameter "pageId": ppf.push has no path parameters.',
      '9:5: /steps/5 is missing the key "say".',
    ]);
  });

  it('reports steps with two requests, or with expectations but no request', () => {
    const problems = problemsOfSteps(
      '- { say: a, call: ppf.push, request: { method: POST, path: /x } }',
      '- { say: b, body: {}, expect: { status: 200 }, proves: [ppf.push], capture: { x: /a } }',
      '- { say: c, request: { method: POST, path: x } }',
      '- { say: d, as: { user: admin }, call: ppf.push }',
      '- { say: e, then: { users: { bob: { $absent: true } } } }',
    );
    expect(problems).to.deep.equal([
      '4:31: A step cannot have both call and request: remove one of them.',
      '5:15: The key `body` needs `call`, but this step has none.',
      '5:25: The key `expect` needs a response, but this step sends no request: add `call` or `request`.',
      '5:50: The key `proves` needs a response, but this step sends no request: add `call` or `request`.',
      '5:70: The key `capture` needs a response, but this step sends no request: add `call` or `request`.',
      '6:46: /steps/2/request/path must be a path that begins with a slash, with its query, not "x".',
      '7:19: /steps/3/as must have a user and a password, or a token: add a password, or write as: admin.',
    ]);
  });

  it('reports invalid expectations', () => {
    const problems = problemsOfSteps(
      '- say: a',
      '  call: ppf.push',
      '  expect: { status: ok, body: { a: { $any: strin }, b: [{ $mach: x }], c: { $any: string, d: 1 } } }',
      '- say: b',
      '  call: ppf.push',
      '  expect: { status: { $any: integr }, statu: 200 }',
      '  then: { favourite: {}, favourites: { alice: { dashboard: [], filters: { $contain: [1] } } } }',
    );
    expect(problems).to.deep.equal([
      '6:23: /steps/0/expect/status must be a status such as 200, or a class such as 2XX, not "ok".',
      '6:46: /steps/0/expect/body/a/$any must be one of string, number, integer, boolean, array, object, null or value, not "strin" (did you mean "string"?).',
      '6:61: Unknown matcher "$mach" (did you mean "$match"?): expected $any, $match, $contains or $absent.',
      '6:77: A matcher must be the only key of its object, but there are 2 keys.',
      '9:31: /steps/1/expect/status/$any must be one of string, number, integer, boolean, array, object, null or value, not "integr" (did you mean "integer"?).',
      '9:41: Unknown key "statu" (did you mean "status"?): expected status, headers, body or connection.',
      '10:13: Unknown key "favourite" (did you mean "favourites"?): expected users, groups, spaces, pages, filters, dashboards, favourites, licence or nextPageId.',
      '10:51: Unknown key "dashboard" (did you mean "dashboards"?): expected filters or dashboards.',
      '10:77: Unknown matcher "$contain" (did you mean "$contains"?): expected $any, $match, $contains or $absent.',
    ]);
  });

  it('reports references to values no earlier step captured', () => {
    const reference = (name: string) => `$\{${name}}`;
    const problems = problemsOfSteps(
      `- { say: "${reference('said')}", call: ppf.push, capture: { "a b": / }, body: {} }`,
      `- { say: b, call: ppf.push, capture: { id: /id }, body: { users: ["${reference('id')}"] } }`,
      `- { say: c, call: ppf.push, body: { users: ["${reference('id')}", "x ${reference('ids')} ${reference('')}"] } }`,
    );
    expect(problems).to.deep.equal([
      '4:50: "a b" must be a name of letters, digits, hyphens and underscores.',
      '5:69: No earlier step captures "id".',
      '6:56: No earlier step captures "ids" (did you mean "id"?).',
      `6:56: ${reference('')} is not a valid name of a captured value.`,
    ]);
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
    expect(problemsOf('gap: unknown-user', 'steps:', `  - ${good}`)).to.deep.equal([
      '5:31: The key `for` is missing the reading 400 of unknown-user.',
      '5:31: The key `for` is missing the reading 403 of unknown-user.',
      '5:31: The key `for` is missing the reading message of unknown-user.',
      '5:31: The key `for` is missing the reading create of unknown-user.',
      '5:38: unknown-user has no reading "40" (did you mean "404"?): expected 404, 400, 403, skip, message or create.',
    ]);
  });

  it('reports faults that match nothing or do nothing', () => {
    const problems = problemsOf(
      'faults:',
      '  - { operation: ppf.psh, effect: { status: 503 } }',
      '  - { effect: {} }',
      '  - { path: /x, when: { nth: 1, first: 2 }, effect: { delay: [1], hangUp: false, partial: { succeed: 1 } } }',
      '  - { operation: ppf.push, caller: bobb, until: 2026-02-30T09:00:00Z, effect: { delay: 5 } }',
      '  - { operation: ppf.push, caller: bobb, until: 2026-02-30T09:00:00Z, effect: { delay: 5, dribble: { bytes: 1 } } }',
      'steps:',
      '  - { say: a, call: ppf.push, faults: [{ path: x, phase: during, effect: { status: 99 } }] }',
    );
    expect(problems).to.deep.equal([
      `4:18: /faults/0/operation must be one of the ${operationIds.length} allowed names, not "ppf.psh" (did you mean "ppf.push"?).`,
      '5:15: /faults/1/effect must not be empty.',
      '6:23: /faults/2/when must be one of nth, every, first or chance; chance may have a seed.',
      '6:62: /faults/2/effect/delay must have exactly 2 items, but is a list of length 1.',
      '6:75: /faults/2/effect/hangUp must be true, not false.',
      '7:36: Unknown user "bobb": expected admin, alice, anonymous, carol, demouser1 or demouser2.',
      '7:49: 2026-02-30 is not a valid date.',
      '8:91: /faults/4/effect/dribble is missing the key "every".',
      '10:48: /steps/0/faults/0/path must be a path that begins with a slash, not "x".',
      '10:58: /steps/0/faults/0/phase must be before or after, not "during".',
      '10:84: /steps/0/faults/0/effect/status must be at least 200, not 99.',
    ]);
  });

  it('reports stubs that would never answer, and parts in the wrong place', () => {
    const problems = problemsOf(
      'stubs:',
      '  - { path: /rest/api/space }',
      '  - { path: /x, response: { status: 200 } }',
      '  - { method: GET }',
      'steps:',
      '  - { say: a, call: ppf.push, stubs: [{ path: /x, caller: nobody, status: 204, body: 1 }] }',
      '  - { say: a, call: ppf.push, stubs: [{ path: /x, body: { run: "${run}", id: "${ids}" } }] }',
    );
    expect(problems).to.deep.equal([
      '4:13: The fake itself responds to GET /rest/api/space. To replace its response, use a fault instead of a stub.',
      '5:17: Unknown key "response": put status, headers, body and delay at the same level as the path of a stub.',
      '6:5: /stubs/2 is missing the key "path".',
      '8:59: Unknown user "nobody": expected admin, alice, anonymous, carol, demouser1 or demouser2.',
      '8:86: A response with the status 204 has no body: use another status, or omit body.',
      '9:78: Unknown placeholder ${ids} (did you mean "id"?): expected a name such as now, id, request.path.1, request.query.name, request.headers.x-id, request.body.user, run, context.',
    ]);
  });

  it('reports holds that the steps would wait for', () => {
    const hold = '{ operation: ppf.push, effect: { hold: spinner } }';
    const says =
      'A step waits for its response, so a held response would block the scenario. Set the fault in a scenario without steps,';
    const step = `{ say: a, call: ppf.push, faults: [${hold}] }`;
    const problems = problemsOf('faults:', `  - ${hold}`, 'steps:', `  - ${step}`);
    expect(problems.map(problem => problem.slice(0, problem.indexOf(' or through')))).to.deep.equal([
      `4:44: ${says}`,
      `6:79: ${says}`,
    ]);
  });
});
