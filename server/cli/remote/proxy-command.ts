// `cwx-fake proxy`: what it is called and takes. What runs it is loaded when it is asked for.

import { urlFlaw } from '../../remote/target/any-server.js';
import { wholeNumber } from '../../settings/flag-checks.js';
import { type Flag, flagsOfServe } from '../../settings.js';
import type { Command } from '../command.js';

export const proxyFlags: readonly Flag[] = [
  { name: 'target', value: 'url', description: 'the server to which requests are passed on', check: urlFlaw },
  ...flagsOfServe('port').map(port => ({ ...port, default: '8081' })),
  ...flagsOfServe('host'),
  {
    name: 'timeout',
    value: 's',
    description: 'seconds until an answer has to begin, and between its parts',
    default: '30',
    check: wholeNumber(1, 3600),
  },
  {
    name: 'max-connections',
    value: 'n',
    description: 'connections at most, on either side',
    default: '256',
    check: wholeNumber(1, 16_384),
  },
  { name: 'insecure', description: 'take a certificate of the target that nobody vouches for' },
  { name: 'json', description: 'each exchange as JSON on a line, in the place of the text' },
  {
    name: 'scenario',
    value: 'name',
    description: 'the world that the target has at the beginning, with which cwx-fake record begins',
    default: 'small-team',
  },
  ...flagsOfServe('journal', 'control-token', 'allow-host', 'fixtures', 'scenarios'),
];

export const proxy: Command = {
  name: 'proxy',
  summary: 'Pass requests on to a real server, and tell what departs from the document and which readings it follows.',
  usage: '',
  minArgs: 0,
  maxArgs: 0,
  flags: proxyFlags,
  examples: [
    [
      'cwx-fake proxy --target https://wiki.example.com > readings.yaml',
      'until Ctrl-C; then the readings, for serve --readings',
    ],
    ['cwx-fake proxy --target http://localhost:8090 --port 0 --json', 'each exchange as JSON, on standard error'],
    ['cwx-fake journal --url http://127.0.0.1:8081 --follow', 'the journal of a proxy that is running'],
    ['cwx-fake record --from http://127.0.0.1:8081 > scenarios/seen.yaml', 'its exchanges as a scenario'],
  ],
  run: async (args, process) => (await import('./proxy-run.js')).runProxy(args, process),
};
