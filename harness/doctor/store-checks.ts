// Checks of the store, which is opened as `serve` opens it. A folder that does not exist is not created.

import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { silentLog } from '../../server/engine/log.js';
import type { SandboxStore } from '../../server/engine/session/cached-sandbox.js';
import { StoreError } from '../../server/engine/store.js';
import { awaitStore } from '../../server/process/await-store.js';
import { openStore } from '../../server/process/open-store.js';
import { isProblems } from '../../server/scenario/yaml/problem.js';
import { type SetupCheck, type SetupProblem, sentence } from './check.js';
import type { Setup } from './doctor-setup.js';

/** Seconds to wait for a store elsewhere. */
const PATIENCE_S = 5;

export const storeChecks: ReadonlyArray<SetupCheck<Setup>> = [
  {
    name: 'store',
    fix: ({ folder }) =>
      folder === undefined
        ? 'Install or start what is missing, or correct the URL of --store.'
        : 'Free or restore the folder, or use another one: --store file:<dir>.',
    problems: setup => {
      const { folder } = setup;
      return folder === undefined || existsSync(folder) ? openingProblem(setup) : creationProblem(folder);
    },
  },
  {
    name: 'store-access',
    fix: ({ folder }) => `Run chmod o-w '${folder}'.`,
    concerns: ({ folder = '' }) => existsSync(folder) && process.platform !== 'win32',
    problems: ({ folder = '' }) =>
      (statSync(folder).mode & 0o002) !== 0 && `Every user of this machine can change the sandboxes in ${folder}.`,
  },
  {
    name: 'store-space',
    level: 'warning',
    fix: 'Free some space, or use a folder on another disk.',
    concerns: ({ folder }) => folder !== undefined,
    problems: ({ folder = '', settings: { maxMemory } }) => {
      const { bavail, bsize } = statfsSync(existing(folder));
      const free = Math.floor((bavail * bsize) / 1024 / 1024);
      return free < maxMemory && `The disk has ${free} MiB left. Sandboxes can use ${maxMemory} MiB (--max-memory).`;
    },
  },
];

/** The folder itself, or the nearest one above it that exists. */
function existing(folder: string): string {
  return existsSync(folder) ? folder : existing(dirname(folder));
}

function creationProblem(folder: string): SetupProblem {
  const above = existing(folder);
  try {
    accessSync(above, constants.W_OK | constants.X_OK);
    if (statSync(above).isDirectory()) return undefined;
  } catch {} // it is reported below
  return `${folder} cannot be created: ${above} is not a folder that this user can write.`;
}

async function openingProblem({ settings, loaded }: Setup): Promise<SetupProblem> {
  if (isProblems(loaded)) return undefined; // reported as such
  const warned: string[] = [];
  let store: SandboxStore | undefined;
  try {
    store = await openStore(settings, loaded.origin, { ...silentLog, warn: message => warned.push(message) });
    await awaitStore(store.ready(), store, Math.min(settings.storeTimeout, PATIENCE_S), silentLog);
    return warned.map(sentence);
  } catch (error) {
    if (error instanceof StoreError) return sentence(error.message);
    throw error;
  } finally {
    await store?.close();
  }
}
