// YAML that takes seconds to refuse or to read, as it is as long as a file may be. Without limits, some took over a minute and gigabytes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { problemsIn, type Written, written } from '../../support/files/files.js';

const MIB = 2 ** 20;
const many = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length));

const tooLong =
  'The file has more than 1000000 tokens up to this point, which is the limit. For a large world, use `generate`.';

const costly = [
  ['8 MiB of line ends', many('\n', 8 * MIB), `1000002:1: ${tooLong}`],
  ['8 MiB of commas', `a: [${many(',', 8 * MIB - 20)}]`, `1:1000000: ${tooLong}`],
  ['8 MiB of elements', `a: [${many('x,', 8 * MIB - 20)}]`, `1:666668: ${tooLong}`],
  ['8 MiB of anchors', many('&a ', 8 * MIB), `1:1500001: ${tooLong}`],
] as const;

describe('YAML made to be expensive', () => {
  for (const [what, text, problem] of costly)
    it(`${what} are reported at their place`, () => {
      expect(problemsIn('fixtures/mine.yaml', text)[0]).to.equal(problem);
    });

  let files: Written;
  before(() => {
    files = written({});
  });
  after(() => files.remove());

  it('100,000 keys in one mapping are read', () => {
    const users = Array.from({ length: 100_000 }, (_, i) => `  user${i}: {}`);
    writeFileSync(join(files.root, 'fixtures/wide.yaml'), ['users:', ...users].join('\n'));
    expect(files.load('wide').origin.world.users.size).to.equal(100_000);
  });

  it('a text of 7 MiB is read unchanged', () => {
    const text = 'x'.repeat(7 * MIB);
    writeFileSync(join(files.root, 'fixtures/text.yaml'), `users: { a: { displayName: "${text}" } }`);
    expect(files.load('text').origin.world.users.get('a')?.displayName).to.equal(text);
  });

  it('10,000 invalid steps take as long for each as ten', () => {
    const steps = Array.from({ length: 10_000 }, (_, i) => `  - { say: a, call: ppf.pus${i} }`);
    writeFileSync(join(files.root, 'scenarios/steps.yaml'), ['title: a', 'steps:', ...steps].join('\n'));
    const problems = files.check('scenarios/steps.yaml');
    expect(problems).to.have.lengthOf(101);
    expect(problems.at(-1)).to.equal('scenarios/steps.yaml:0:0: Only the first 100 problems are listed.');
  });
});
