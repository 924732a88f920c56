// `cwx-fake sensitivity`: what it is called and takes. What runs it is loaded when it is asked for.

import { nearest } from '../../engine/nearest.js';
import { gapIds, isGapId } from '../../operations/gaps/gaps.js';
import { reportFlag } from '../../report/formats.js';
import { wholeNumber } from '../../settings/flag-checks.js';
import { type Flag, flagsOfServe } from '../../settings.js';
import type { Command } from '../command.js';

const VARIABLE = /^[A-Za-z_]\w*=/;

export const sensitivityFlags: readonly Flag[] = [
  {
    name: 'only',
    value: 'gap',
    description: 'try the readings of this gap only; may be given several times',
    repeatable: true,
    check: gap => (isGapId(gap) ? undefined : `there is no such gap${nearest(gap, gapIds)}`),
  },
  {
    name: 'env',
    value: 'NAME={url}/path',
    description: 'a variable that tells the command where the fake is, besides CWX_FAKE_URL; several times',
    repeatable: true,
    separator: '\n',
    check: text => (VARIABLE.test(text) ? undefined : 'write NAME={url} or NAME={url}/path'),
  },
  {
    name: 'jobs',
    value: 'n',
    description: 'runs at the same time; left out, one for each processor, at most 4',
    check: wholeNumber(1, 64),
  },
  {
    name: 'repeat',
    value: 'n',
    description: 'run the suite so often as it is first, to find out whether it is flaky',
    default: '1',
    check: wholeNumber(1, 1000),
  },
  {
    name: 'timeout',
    value: 's',
    description: 'seconds that a run may take; left out, 300 for the first, then ten times the first and at least 10',
    check: wholeNumber(1, 86_400),
  },
  { name: 'scenario', value: 's', description: 'the scenario of the fake', default: 'small-team' },
  ...flagsOfServe('profile', 'reading', 'readings', 'fixtures', 'scenarios'),
  { name: 'strict', description: 'fail where the suite relies on a guess' },
  reportFlag,
  { name: 'json', description: 'the result as JSON, in the place of the text' },
];

export const sensitivity: Command = {
  name: 'sensitivity',
  summary: 'Run a test suite under every other reading of the gaps it meets, and tell on which guesses it relies.',
  usage: '-- <command…>',
  minArgs: 1,
  maxArgs: Number.POSITIVE_INFINITY,
  flags: sensitivityFlags,
  examples: [
    ['cwx-fake sensitivity -- npm test', 'a suite that makes its fake in process, or finds it in CWX_FAKE_URL'],
    ["cwx-fake sensitivity --env 'API_BASE={url}/wiki' -- pytest", 'a suite that finds it in a variable of its own'],
    [
      'cwx-fake sensitivity --only unknown-user --strict -- npx mocha',
      'one gap only; fail where the suite relies on it',
    ],
  ],
  run: async (args, process) => (await import('./sensitivity-run.js')).runSensitivity(args, process),
};
