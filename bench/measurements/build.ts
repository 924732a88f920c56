// How long a build takes, and how long `npm start` takes where there is one already. In a clone of its own, so that what is measured elsewhere stays.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { calm } from '../../tests/support/measuring/machine.js';
import { spread } from '../../tests/support/measuring/statistics.js';
import type { Table } from '../../tests/support/measuring/table.js';
import { startCommand } from '../harness/child.js';
import { scratch } from '../harness/places.js';
import type { Effort } from '../harness/rounds.js';
import { feel } from '../harness/tree.js';

export async function build({ rounds, isQuick, say }: Effort): Promise<Table> {
  const clone = cloned();
  const npm = (...args: string[]) => ['npm', '--prefix', clone, ...args];
  const [builds, starts]: [number[], number[]] = [[], []];
  let buildsAgain = false;
  for (let round = 1; round <= rounds; round += 1) {
    if (!isQuick) await calm();
    const { milliseconds } = await feel(npm('run', 'build'));
    builds.push(milliseconds);
    const written = lastWritten(clone);
    const server = await startCommand(npm('start', '--', '--port', '0'));
    await server.stop();
    starts.push(server.readyAfter);
    buildsAgain ||= lastWritten(clone) > written;
    say(`round ${round}: build ${milliseconds.toFixed(0)} ms, start ${server.readyAfter.toFixed(0)} ms`);
  }
  return {
    title: 'Build and start',
    note: `Whole commands, both processors, in a clone of the files that git knows or would. In the clone that is built \`npm start\` ${buildsAgain ? 'built once more' : 'built nothing'}.`,
    columns: ['command', 'target', 'least / median / greatest ms'],
    rows: [
      ['`npm run build`', '< 3,000', spread(builds)],
      ['`npm start` in a clone that is built, until it listens', '< 1,000', spread(starts)],
    ],
  };
}

function cloned(): string {
  const clone = join(scratch, 'clone');
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  for (const file of stdout.split('\0').filter(name => name !== '' && existsSync(name))) {
    cpSync(file, join(clone, file));
  }
  symlinkSync(resolve('node_modules'), join(clone, 'node_modules'));
  return clone;
}

/** When anything in `dist` was written last. */
function lastWritten(clone: string): number {
  const files = readdirSync(join(clone, 'dist'), { recursive: true, encoding: 'utf8' });
  return Math.max(...files.map(file => statSync(join(clone, 'dist', file)).mtimeMs));
}
