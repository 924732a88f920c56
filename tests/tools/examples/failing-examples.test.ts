// Each example of the documentation for test runners fails if its expectation is changed.
import { expect } from 'chai';
import type { Scratch } from '../../support/files/scratch.js';
import { built } from '../../support/processes/built.js';
import { exampleProject, examples, runExample } from './example-project.js';

/** The expectation of an example, and a wrong one, by its file. */
const otherwise: Record<string, readonly [expected: string, other: string]> = {
  'onboard.test.ts': ["['alice', 'demouser1']", "['demouser1']"],
  'first.test.mjs': ['filters, [10500]', 'filters, [10600]'],
  'asked.test.ts': ['/is "alice", not "carol"/', '/is "alice", not "dora"/'],
  'back.test.ts': ["'<p>Hello, wiki.</p>'", "'<p>Goodbye, wiki.</p>'"],
  'push.test.ts': ['to.deep.equal([10500])', 'to.deep.equal([10600])'],
  'onboarding.test.ts': ["toEqual(['demouser1', 'dora'])", "toEqual(['demouser1'])"],
  'licence.test.ts': ["['ppf.licensed-only']", "['ppf.admin-only']"],
  'read-back.test.ts': ["to.equal('<p>Hello, wiki.</p>')", "to.equal('<p>Goodbye, wiki.</p>')"],
  'watching.test.ts': ["'ppf.success-flag'", "'ppf.failure-flag'"],
};

describe('the examples of the documentation for test runners', function () {
  this.timeout(120_000);
  let project: Scratch;
  before(async () => {
    await built();
    project = exampleProject();
  });
  after(() => project.drop());

  it('have a known expectation each', () => {
    expect(examples.map(({ file }) => file)).to.have.members(Object.keys(otherwise));
  });

  for (const { file, command, text } of examples) {
    it(`${command.join(' ')} fails with a wrong expectation`, async () => {
      const [expected, other] = otherwise[file] ?? ['', ''];
      expect(text.split(expected)).to.have.lengthOf(2);
      const changed = file.replace('.test.', '-changed.test.');
      project.write(changed, text.replace(expected, other));
      const { code, output } = await runExample(
        command.map(word => (word === file ? changed : word)),
        project.path,
      );
      project.remove(changed);
      expect(code, output).not.to.equal(0);
      expect(output).to.match(/AssertionError|ERR_ASSERTION/);
    });
  }
});
