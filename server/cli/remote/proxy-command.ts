// `cwx-fake proxy`: its flags and help. Its runner is loaded on demand.

import { baseUrl, wholeNumber } from '../../settings/flag-checks.js';
import { type Flag, flagsOfServe } from '../../settings.js';
import type { Command } from '../command.js';

export const proxyFlags: readonly Flag[] = [
  { name: 'target', value: 'url', description: 'the server to forward requests to', check: value => baseUrl(value) },
  ...flagsOfServe('port').map(port => ({ ...port, default: '8081' })),
  ...flagsOfServe('host'),
  {
    name: 'timeout',
    value: 's',
    description: 'timeout in seconds for the start of an answer, and between its parts',
    default: '30',
    check: wholeNumber(1, 3600),
  },
  {
    name: 'max-connections',
    value: 'n',
    description: 'maximum connections on either side',
    default: '256',
    check: wholeNumber(1, 16_384),
  },
  { name: 'insecure', description: 'accept an untrusted certificate of the target' },
  { name: 'json', description: 'print each exchange as a line of JSON instead of text' },
  {
    name: 'scenario',
    value: 'name',
    description: "a fixture of the target's initial world, for cwx-fake record",
    default: 'small-team',
  },
  ...flagsOfServe('no-rewrite', 'journal', 'control-token', 'allow-host', 'fixtures', 'scenarios'),
];

export const proxy: Command = {
  name: 'proxy',
  summary: 'Forward requests to a real server, and report violations of the document and the readings it follows.',
  usage: '',
  minArgs: 0,
  maxArgs: 0,
  flags: proxyFlags,
  examples: [
    [
      'cwx-fake proxy --target https://wiki.example.com > readings.yaml',
      'forward until Ctrl-C, then write the readings for serve --readings',
    ],
    ['cwx-fake proxy --target http://localhost:8090 --port 0 --json', 'each exchange as JSON, on standard error'],
    ['cwx-fake journal --url http://127.0.0.1:8081 --follow', 'follow the journal of a running proxy'],
    ['cwx-fake record --from http://127.0.0.1:8081 > scenarios/seen.yaml', 'write its exchanges as a scenario'],
  ],
  run: async (args, process) => (await import('./proxy-run.js')).runProxy(args, process),
};
