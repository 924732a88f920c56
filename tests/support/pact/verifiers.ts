// The verifiers of Pact's packages as other teams run them, each in a process of its own: the native one and the class.
import { fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PactResponse, PactRun } from './pact-process.js';

const pactFolder = fileURLToPath(new URL('../../pacts/', import.meta.url));
export type Provider = 'wiki-extension' | 'push-pull';
export const providers: readonly Provider[] = ['wiki-extension', 'push-pull'];

interface PactFile {
  readonly provider: { readonly name: string };
  readonly interactions: ReadonlyArray<{ readonly description: string }>;
}

/** The pact files made by hand that are for a provider, and the descriptions in them, sorted. */
export function pactsFor(provider: Provider): { readonly files: readonly string[]; readonly descriptions: string[] } {
  const all = readdirSync(pactFolder)
    .filter(name => name.endsWith('.json'))
    .map(name => join(pactFolder, name));
  const files = all.filter(file => read(file).provider.name === provider);
  const descriptions = files.flatMap(file => read(file).interactions.map(({ description }) => description));
  return { files, descriptions: descriptions.sort() };
}

function read(file: string): PactFile {
  return JSON.parse(readFileSync(file, 'utf8')) as PactFile; // ours
}

export interface Verified {
  readonly results: Readonly<Record<string, boolean>>;
  readonly text: string;
}

interface InProcess extends Verified {
  readonly failures: readonly string[];
}

export const noTracking = { PACT_DO_NOT_TRACK: 'true' };

/** Runs a verifier of the JavaScript packages. Options by their own names. */
export function verifyBy(
  by: PactRun['by'],
  options: PactRun['options'],
  env: Readonly<Record<string, string>> = {},
): Promise<InProcess> {
  const child = fork(fileURLToPath(new URL('pact-process.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, ...noTracking, ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.on('data', text => {
    said += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => reject(new Error(`it ended without a response: ${said}`)));
    child.on('message', message => {
      if (message === 'ready') return child.send({ by, options: { logLevel: 'error', ...options } });
      const { text, failures } = message as PactResponse; // of pact-process.ts
      resolve({ ...verified(text), failures });
    });
  });
}

export function verified(text: string): Verified {
  const { interactionResults } = JSON.parse(text) as {
    interactionResults: ReadonlyArray<{ readonly description: string; readonly result: string }>;
  }; // as the verifier writes it
  return {
    results: Object.fromEntries(interactionResults.map(({ description, result }) => [description, result === 'OK'])),
    text,
  };
}
