// How long a team waits for its contracts, plain and under every other reading, beside Pact's own verifiers on the same files.
import { resolve } from 'node:path';
import { calm } from '../../tests/support/measuring/machine.js';
import { mebibytes, median, spread } from '../../tests/support/measuring/statistics.js';
import type { Table } from '../../tests/support/measuring/table.js';
import { start } from '../harness/child.js';
import { pactsOf } from '../harness/pacts.js';
import { builtScript } from '../harness/places.js';
import type { Effort } from '../harness/rounds.js';
import { type Felt, feel } from '../harness/tree.js';

const pactCli = resolve('tests/tools/node_modules/@pact-foundation/pact-cli/bin/pact-verifier.js');
const sizes = [100, 500];

type Command = (files: readonly string[], url: string) => readonly string[];

/** Where `url` is used, a fake is served there. */
const contenders: ReadonlyArray<readonly [name: string, command: Command]> = [
  ['**cwx-fake verify**', files => [process.execPath, builtScript('server/cli.js'), 'verify', ...files]],
  [
    'cwx-fake verify --sensitivity',
    files => [process.execPath, builtScript('server/cli.js'), 'verify', '--sensitivity', ...files],
  ],
  [
    'pact-core alone, against cwx-fake serve',
    (files, url) => [process.execPath, builtScript('bench/inside/native-verifier.js'), url, ...files],
  ],
  [
    'pact-verifier, against cwx-fake serve',
    (files, url) => [process.execPath, pactCli, ...pactVerifierArguments(files, url)],
  ],
];

function pactVerifierArguments(files: readonly string[], url: string): string[] {
  const { hostname, port } = new URL(url);
  const states = `${url}/_fake/v1/provider-states`;
  const where = ['-h', hostname, '-p', port, '-n', 'fake', '--state-change-url', states, '--state-change-teardown'];
  return [...where, ...files.flatMap(file => ['-f', file]), '--no-colour'];
}

export async function verify({ rounds, say }: Effort): Promise<Table> {
  const rows: string[][] = [];
  for (const size of sizes) {
    const files = pactsOf(size);
    const felt = contenders.map(() => [] as Felt[]);
    for (let round = 0; round <= rounds; round += 1) {
      for (const [i, [name, command]] of contenders.entries()) {
        const one = await measured(command, files);
        if (round > 0) felt[i]?.push(one); // before that, files were read from the disk
        say(`round ${round}, ${size} by ${name}: ${one.milliseconds.toFixed(0)} ms`);
      }
    }
    for (const [i, [name]] of contenders.entries()) {
      const taken = felt[i] ?? [];
      const peak = median(taken.map(({ peakRss }) => peakRss));
      rows.push([String(size), name, spread(taken.map(({ milliseconds }) => milliseconds)), mebibytes(peak)]);
    }
  }
  return {
    title: 'Contracts verified',
    note: 'Whole command, built, both processors. Memory is that of all its processes together, without the served fake that the peers ask.',
    columns: ['interactions', 'command', 'least / median / greatest ms', 'peak RSS'],
    rows,
  };
}

/** A server of its own each time: what was verified before leaves it as it was. */
async function measured(command: Command, files: readonly string[]): Promise<Felt> {
  const server = await start({
    script: 'server/cli.js',
    args: ['serve', '--port', '0', '--log', 'silent'],
    gauge: false,
  });
  try {
    await calm();
    return await feel(command(files, server.url));
  } finally {
    await server.stop();
  }
}
