// Errors people make in their first scenario, and the messages that show how to fix them.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is written so in a file
import { expect } from 'chai';
import { operationIds } from '../../../server/operations/catalog/catalog.js';
import { problemsIn } from '../../support/files/files.js';

const problemsOf = (text: string) => problemsIn('scenarios/first.yaml', text);
const step = (text: string, before = 'fixture: small-team\n') => `title: First\n${before}steps:\n  - ${text}\n`;

/** Steps, by the problem that they have. */
const steps: Readonly<Record<string, string>> = {
  '4:52: /steps/0/expect must be an object, not 200: write { status: 200 }.':
    '{ say: Ask, as: admin, call: ppf.push, expect: 200 }',
  '4:62: /steps/0/expect/status must be a status such as 200, or a class such as 2XX, not "200": write it without quotes.':
    '{ say: Ask, as: admin, call: ppf.push, expect: { status: "200" } }',
  [`4:34: /steps/0/call must be one of the ${operationIds.length} allowed names, not "push" (did you mean "ppf.push"?).`]:
    '{ say: Ask, as: admin, call: push }',
  '4:21: Unknown user "bob": expected admin, alice, anonymous, carol, demouser1 or demouser2.':
    '{ say: Ask, as: bob, call: ppf.push }',
  '4:10: Text that contains a colon and a space needs quotes: say: "The admin: pushes".': 'say: The admin: pushes',
  '4:62: /steps/0/expect/status must be a status such as 200, or a class such as 2XX, not "2xx" (did you mean 2XX?).':
    '{ say: Ask, as: admin, call: ppf.push, expect: { status: 2xx } }',
  '4:62: /steps/0/expect/status must be a whole number, not a list of length 2: write one status, or 2XX for 200 to 299.':
    '{ say: Ask, as: admin, call: ppf.push, expect: { status: [200, 201] } }',
  '4:62: /steps/0/expect/status must be a whole number, not a list of length 2: write one status, or a class: 1XX, 2XX, 3XX, 4XX or 5XX.':
    '{ say: Ask, as: admin, call: ppf.push, expect: { status: [200, 404] } }',
  '4:69: /steps/0/request/body must be a string, not an object: a raw body must be a string, such as \'{"users":["alice"]}\'; to send an object, use call and body.':
    '{ say: Ask, as: admin, request: { method: POST, path: /x, body: { users: [alice] } } }',
  "4:69: /steps/0/request/body must be a string, not a list of length 1: a raw body must be a string, such as '[1]'; to send an object, use call and body.":
    '{ say: Ask, as: admin, request: { method: POST, path: /x, body: [1] } }',
  '4:54: Unknown key "status:200": put a space after the colon: status: 200.':
    '{ say: Ask, as: admin, call: ppf.push, expect: { status:200 } }',
  '4:5: Put a space after the colon: say: Ask.': 'say:Ask\n    as: admin',
  '4:10: Text that begins with @ needs quotes: "@alice, hello".': 'say: @alice, hello',
  '4:12: Text that begins with @ needs quotes: "@alice".': '{ say: @alice, as: admin }',
  '4:10: *now is undefined: there is no &now before it. If this is text, put it in quotes.': 'say: *now',
  '5:1: A closing quote (") is missing before this point.': 'say: "Ask',
  '5:1: A closing } is missing before this point.': '{ say: Ask, as: admin',
  '5:1: Wrong indentation: a list item begins with "- ", and its keys line up with the text after it.':
    'say: Ask\n   as: admin',
  '4:49: Unknown key "status": put it under effect, as in effect: { status: … }.':
    '{ say: Ask, faults: [{ operation: ppf.push, status: 503, effect: { delay: 1 } }] }',
  '4:25: /steps/0/clock must be an instant at which to freeze the clock, such as 2026-01-05T09:00:00Z, or a duration by which to advance it, such as +P1D or +PT1H, not "P1D": write +P1D.':
    '{ say: Wait, clock: P1D }',
  '4:25: 2026-02-30 is not a valid date.': '{ say: Wait, clock: 2026-02-30T00:00:00Z }',
  '4:26: /steps/0/reset must be true, not "yes": write reset: true.': '{ say: Begin, reset: yes }',
  '4:72: Unknown matcher "$matches" (did you mean "$match"?): expected $any, $match, $contains or $absent.':
    '{ say: Ask, as: admin, call: ppf.push, expect: { headers: { X-A: { $matches: a } } } }',
  '4:70: A matcher must be the only key of its object, but there are 2 keys.':
    '{ say: Ask, as: admin, call: ppf.push, expect: { headers: { X-A: { $match: a, $any: string } } } }',
  '4:71: /steps/0/expect/body/$absent must be true, not "yes": write $absent: true.':
    '{ say: Ask, as: admin, call: ppf.push, expect: { body: { $absent: yes } } }',
  '5:6: Line 5 is indented deeper than line 4: keys of one mapping need the same indentation.':
    'say: Ask\n     call: ppf.push',
  '7:6: Line 7 is indented deeper than line 5: keys of one mapping need the same indentation.':
    'say: Ask\n    call: ppf.push\n\n     as: admin',
  '6:12: ${why} must be in quotes here: "${why}".': 'say: Ask\n    call: ppf.push\n    body: [${why}]',
  '6:18: ${why} must be in quotes here: "${why}".': 'say: Ask\n    call: ppf.push\n    body: { why: ${why} }',
  '4:50: /steps/0/then must be an object, not a list of length 1: write it like then: { favourites: { alice: { filters: [10500] } } }.':
    '{ say: Ask, as: admin, call: ppf.push, then: [a] }',
  '4:51: /steps/0/query must be an object, not "a=b": write it like query: { name: value }.':
    '{ say: Ask, as: admin, call: ppf.push, query: a=b }',
  '4:50: /steps/0/path must be an object, not "admin": write it like path: { name: value }.':
    '{ say: Ask, as: admin, call: ppf.push, path: admin }',
  '4:52: /steps/0/faults must be a list, not "slow": write it like faults: [{ operation: ppf.push, effect: { status: 503 } }].':
    '{ say: Ask, as: admin, call: ppf.push, faults: slow }',
  '4:53: /steps/0/capture must be an object, not "why": write it like capture: { why: /messages/0 }.':
    '{ say: Ask, as: admin, call: ppf.push, capture: why }',
  '4:51: /steps/0/world must be an object, not "bob": write it like world: { users: { bob: { admin: true } } }.':
    '{ say: Ask, as: admin, call: ppf.push, world: bob }',
  '4:49: /steps/0/for must be an object, not "any": write it like for: { reading: { expect: { status: 200 } } }.':
    '{ say: Ask, as: admin, call: ppf.push, for: any }',
  '4:26: /steps/0/request must be an object, not "GET /x": write it like request: { method: GET, path: /rest/… }.':
    '{ say: Ask, request: GET /x }',
  '4:52: /steps/0/proves must be a list, not "ppf.success-flag": write [ppf.success-flag].':
    '{ say: Ask, as: admin, call: ppf.push, proves: ppf.success-flag }',
};
/** Whole scenarios. */
const scenarios: Readonly<Record<string, string>> = {
  '3:21: Unknown user "admin": the world has no users. Is "fixture: small-team" missing?': step(
    '{ say: Ask, as: admin, call: ppf.push }',
    '',
  ),
  '3:3: Put a space after the dash: - say: Ask.': 'title: First\nsteps:\n  -say: Ask\n    as: admin\n',
  '3:1: Unknown key "-say": put a space after the dash: - say.': 'title: First\nsteps: []\n-say: Ask\n',
  '2:1: Unknown key "extend": in a scenario, the key for the world is fixture.':
    'title: First\nextend: small-team\nsteps: []\n',
  '2:36: /world/users/bob/password must be a string or null, not a number: write it in quotes.':
    'title: First\nworld: { users: { bob: { password: 12345 } } }\nsteps: []\n',
  '2:1: Unknown key "extends": in a scenario, the key for the world is fixture.':
    'title: First\nextends: small-team\nsteps: []\n',
  '3:1: Unknown key "users": this is a scenario. Put changes to its fixture under world, as in world: { users: … }.':
    'title: First\nfixture: small-team\nusers: {}\nsteps: []\n',
  '3:8: /clock must be an instant in UTC, such as 2026-01-05T09:00:00Z, not "+P1D": to advance the clock by a duration, use a step, as in steps: [{ clock: "+P1D" }].':
    step('{ say: Ask, as: admin, call: ppf.push }', 'fixture: small-team\nclock: +P1D\n'),
};

describe('a likely error in a scenario', () => {
  it('is reported with the fix', () => {
    for (const [problem, one] of Object.entries(steps)) expect(problemsOf(step(one))).to.deep.equal([problem]);
    for (const [problem, text] of Object.entries(scenarios)) expect(problemsOf(text)).to.deep.equal([problem]);
  });

  it('does not cause follow-up errors', () => {
    for (const [text, count] of [
      ['{ say: Ask, calls: ppf.push, body: {}, expect: { status: 200 } }', 1],
      ['{ say: Ask, call: ppf.push, capture: why }\n  - { say: "x", call: ppf.push, body: ["${why}"] }', 1],
      ['{ say: Ask, call: spaces.copy, path: admin }', 1],
      ['{ say: Ask, request: { path: /x, headers: [] }, expect: { status: 200 } }', 2],
      ['Ask', 1],
    ] as const)
      expect(problemsOf(step(text)), text).to.have.length(count);
  });

  it('does not hide a YAML error on another line', () => {
    expect(problemsOf(step('say: Ask\n    body: [${why}]\n    query: [${other}]'))).to.deep.equal([
      '5:12: ${why} must be in quotes here: "${why}".',
      '6:13: ${other} must be in quotes here: "${other}".',
    ]);
  });
});
