// `cwx-fake sensitivity`: its flags and help. Its runner is loaded on demand.

import { reportFlag } from '../../harness/report/formats.js';
import { nearest } from '../../server/engine/nearest.js';
import { gapIds, isGapId } from '../../server/operations/gaps/gaps.js';
import { wholeNumber } from '../../server/settings/flag-checks.js';
import { type Flag, flagsOfServe } from '../../server/settings.js';
import type { Command } from '../command.js';

const VARIABLE = /^[A-Za-z_]\w*=/;

export const sensitivityFlags: readonly Flag[] = [
  {
    name: 'only',
    value: 'gap',
    description: 'try the readings of this gap only; repeatable',
    repeatable: true,
    check: gap => (isGapId(gap) ? undefined : `unknown gap${nearest(gap, gapIds)}`),
  },
  {
    name: 'env',
    value: 'NAME={url}/path',
    description: 'a further variable with the URL of the fake, besides CWX_FAKE_URL; repeatable',
    repeatable: true,
    separator: '\n',
    check: text => (VARIABLE.test(text) ? undefined : 'write NAME={url} or NAME={url}/path'),
  },
  {
    name: 'jobs',
    value: 'n',
    description: 'parallel runs; default: one for each processor, at most 4',
    check: wholeNumber(1, 64),
  },
  {
    name: 'repeat',
    value: 'n',
    description: 'number of first runs without changes, to detect a flaky suite',
    default: '1',
    check: wholeNumber(1, 1000),
  },
  {
    name: 'timeout',
    value: 's',
    description: 'timeout of a run in seconds; default: 300 for the first, then ten times the first, at least 10',
    check: wholeNumber(1, 86_400),
  },
  { name: 'scenario', value: 's', description: 'the scenario of the fake', default: 'small-team' },
  ...flagsOfServe('profile', 'reading', 'readings', 'fixtures', 'scenarios'),
  { name: 'strict', description: 'fail if the suite relies on a guess' },
  reportFlag,
  { name: 'json', description: 'print the result as JSON instead of text' },
];

export const sensitivity: Command = {
  name: 'sensitivity',
  summary: 'Run a test suite under every other reading of the gaps it meets, and report the guesses it relies on.',
  usage: '-- <command…>',
  minArgs: 1,
  maxArgs: Number.POSITIVE_INFINITY,
  flags: sensitivityFlags,
  examples: [
    ['cwx-fake sensitivity -- npm test', 'a suite that creates its fake in process, or reads CWX_FAKE_URL'],
    ["cwx-fake sensitivity --env 'API_BASE={url}/wiki' -- pytest", 'a suite that reads another variable'],
    ['cwx-fake sensitivity --only unknown-user --strict -- npx mocha', 'one gap only; fail if the suite relies on it'],
  ],
  run: async (args, process) => (await import('./sensitivity-run.js')).runSensitivity(args, process),
};
