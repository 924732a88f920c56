// `cwx-fake sensitivity` finds what suites of three runners in two languages rely on, and nothing else.
import { expect } from 'chai';
import { built } from '../../support/built.js';
import { run } from '../../support/commands.js';
import { guessingProject, PLANTED, ROBUST, runners } from '../../support/guessing-suites.js';
import { hasProgram } from '../../support/programs.js';
import type { Scratch } from '../../support/scratch.js';

interface Tried {
  readonly gap: string;
  readonly reading: string;
  readonly outcome: string;
  readonly excerpt: readonly string[];
}

describe('the sensitivity of a suite', function () {
  this.timeout(120_000);
  let project: Scratch;
  before(async () => {
    await built();
    project = guessingProject();
  });
  after(() => project?.drop());

  const tried = async (flags: readonly string[], command: readonly string[]): Promise<readonly Tried[]> => {
    const { code, stdout, stderr } = await run(['sensitivity', '--json', ...flags, '--', ...command], {
      cwd: project.path,
    });
    expect(code, stderr).to.equal(0);
    return JSON.parse(stdout).tried;
  };
  const failing = (all: readonly Tried[]) => all.filter(({ outcome }) => outcome === 'fails');
  const names = (all: readonly Tried[]) => all.map(({ gap, reading }) => `${gap}=${reading}`).sort();
  /** The test that is to fail, whatever runner names it. */
  const guessOf: Readonly<Record<string, RegExp>> = {
    'is-unique-answer': /guesses.a.boolean/,
    'no-change': /guesses.that.nothing/,
    'unknown-user': /guesses.the.status/,
    'wiki-prefix': /not served below this prefix/,
    'wiki-success': /guesses.an.empty/,
  };
  const holds = (all: readonly Tried[], planted: readonly string[]) => {
    expect(names(failing(all))).to.deep.equal(planted);
    for (const { gap, excerpt } of failing(all)) {
      expect(excerpt.join('\n'), gap).to.match(guessOf[gap] ?? /$^/);
      expect(excerpt.join('\n'), gap).to.match(/Error|!==/);
    }
    expect(all.filter(({ outcome }) => outcome === 'untried')).to.deep.equal([]);
  };

  it('is found in mocha, which makes its fake in process', async () => {
    const all = await tried([], runners.mocha);
    holds(all, PLANTED);
    expect(all.map(({ gap }) => gap)).to.include.members(ROBUST);
  });

  it('is found in vitest, whose workers ask over a socket', async () => {
    const only = ['no-change', 'unknown-user', 'set-users-empty', 'unknown-page'].flatMap(gap => ['--only', gap]);
    const all = await tried([...only, '--env', 'API_BASE={url}'], runners.vitest);
    holds(
      all,
      PLANTED.filter(name => /^(no-change|unknown-user)=/.test(name)),
    );
    expect(all.map(({ gap }) => gap)).to.include.members(['set-users-empty', 'unknown-page']);
  });

  it('is found in Python', async function () {
    if (!hasProgram('python3', 'python3')) this.skip();
    const all = await tried([], runners.python);
    holds(all, PLANTED);
    expect(all.map(({ gap }) => gap)).to.include.members(ROBUST);
  });
});
