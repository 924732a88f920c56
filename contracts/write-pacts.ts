// Writes the pacts of the consumers anew: takes the old ones away, since Pact only ever adds to them, and runs the consumer tests one after the other.
// Knows no consumer.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pactsFolder } from './consumers/pacts-folder.js';

const folder = pactsFolder();
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) if (name.endsWith('.json')) rmSync(join(folder, name));

const root = fileURLToPath(new URL('..', import.meta.url));
const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
const { status, error } = spawnSync(
  process.execPath,
  [mocha, 'contracts/consumers/*.pact.ts', ...process.argv.slice(2)],
  {
    cwd: root,
    env: { ...process.env, PACT_DO_NOT_TRACK: 'true', PACTS_DIR: folder },
    stdio: 'inherit',
  },
);
if (error !== undefined) throw error;
process.exitCode = status ?? 1;
