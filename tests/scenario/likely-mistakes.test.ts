// What people get wrong when they write their first scenario, and the messages from which they see how to mend it.
import { expect } from 'chai';
import { written } from '../support/files.js';

const step = (text: string, before = 'fixture: small-team\n') => `title: First\n${before}steps:\n  - ${text}\n`;

describe('a likely mistake in a scenario', () => {
  for (const [name, text, told] of [
    [
      'a status alone',
      step('{ say: Ask, as: admin, call: ppf.push, expect: 200 }'),
      '4:52: /steps/0/expect must be an object, and it is the number 200: write { status: 200 }.',
    ],
    [
      'a status in quotes',
      step('{ say: Ask, as: admin, call: ppf.push, expect: { status: "200" } }'),
      '4:62: /steps/0/expect/status must be a status, or a class of them such as 2XX, and it is the text "200": write it without quotes.',
    ],
    [
      'an operation without its family',
      step('{ say: Ask, as: admin, call: push }'),
      '4:34: /steps/0/call must be one of 14 names, and it is the text "push" (did you mean "ppf.push"?).',
    ],
    [
      'a user who is not there',
      step('{ say: Ask, as: bob, call: ppf.push }'),
      '4:21: There is no user "bob": there are admin, alice, anonymous, carol, demouser1, demouser2.',
    ],
    [
      'no fixture',
      step('{ say: Ask, as: admin, call: ppf.push }', ''),
      '3:21: There is no user "admin", nor any other: does the scenario lack "fixture: small-team"?',
    ],
    [
      'a colon in what is said',
      step('say: The admin: pushes'),
      '4:10: There is a second colon on this line: a text with a colon and a blank in it is written in quotes.',
    ],
  ] as const) {
    it(`${name}: ${told.slice(told.indexOf(' ') + 1)}`, () => {
      const files = written({ 'scenarios/first.yaml': text });
      const problems = files.check('scenarios/first.yaml');
      files.remove();
      expect(problems).to.deep.equal([`scenarios/first.yaml:${told}`]);
    });
  }
});
