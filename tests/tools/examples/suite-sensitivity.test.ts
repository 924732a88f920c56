// `cwx-fake sensitivity` finds what suites of three runners in two languages rely on, and nothing else.
import { expect } from 'chai';
import type { Scratch } from '../../support/files/scratch.js';
import { built } from '../../support/processes/built.js';
import { run } from '../../support/processes/commands.js';
import { hasProgram } from '../../support/processes/programs.js';
import { guessingProject, PLANTED, ROBUST, runners } from './guessing-suites.js';

interface Tried {
  readonly gap: string;
  readonly reading: string;
  readonly outcome: string;
  readonly excerpt: readonly string[];
}

describe('the sensitivity of a suite', () => {
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
  /** The test that is expected to fail, in the spelling of any runner. */
  const guessOf: Readonly<Record<string, RegExp>> = {
    'is-unique-answer': /guesses.a.boolean/,
    'no-change': /guesses.that.nothing/,
    'unknown-user': /guesses.the.status/,
    'wiki-prefix': /Wrong prefix for the wiki extension|guesses.an.empty/,
    'wiki-success': /guesses.an.empty/,
  };
  /** Two guesses and two twins, for runners that take a second to begin, which Python does not; SENSITIVITY_ALL=1 tries everything. */
  const isAll = process.env.SENSITIVITY_ALL === '1';
  const ROBUST_ONLY = ['set-users-empty', 'unknown-page'];
  const only = isAll ? [] : ['no-change', 'unknown-user', ...ROBUST_ONLY].flatMap(gap => ['--only', gap]);
  const plantedOnly = isAll ? PLANTED : PLANTED.filter(name => /^(no-change|unknown-user)=/.test(name));
  const holds = (all: readonly Tried[], planted: readonly string[]) => {
    expect(names(failing(all))).to.deep.equal(planted);
    for (const { gap, excerpt } of failing(all)) {
      expect(excerpt.join('\n'), gap).to.match(guessOf[gap] ?? /$^/);
      expect(excerpt.join('\n'), gap).to.match(/Error|!==|assert\./);
    }
    expect(all.filter(({ outcome }) => outcome === 'untried')).to.deep.equal([]);
  };

  it('is found in vitest, whose workers call it over a socket', async () => {
    const all = await tried([...only, '--env', 'API_BASE={url}'], runners.vitest);
    holds(all, plantedOnly);
    expect(all.map(({ gap }) => gap)).to.include.members(ROBUST_ONLY);
  });

  it('is found in Jest, whose suite is CommonJS and makes its fake in process', async () => {
    const all = await tried(only, runners.jest);
    holds(all, plantedOnly);
    expect(all.map(({ gap }) => gap)).to.include.members(ROBUST_ONLY);
  });

  it('is found in Python', async function () {
    if (!hasProgram('python3', 'python3')) this.skip();
    const all = await tried([], runners.python);
    holds(all, PLANTED);
    expect(all.map(({ gap }) => gap)).to.include.members(ROBUST);
  });
});
