// What `serve` would be started with, and the machine that it would run on.
import { totalmem } from 'node:os';
import { resolve } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import type { Environment } from '../../server/process/command-process.js';
import { defaultFolders, type Folders } from '../../server/scenario/files/folders.js';
import { loadScenario } from '../../server/scenario/load/load.js';
import type { Loaded } from '../../server/scenario/load/load-scenario.js';
import { readingsFrom } from '../../server/scenario/load/readings-file.js';
import { isProblems, type Problems } from '../../server/scenario/yaml/problem.js';
import { type FlagValues, type Settings, settingsFrom } from '../../server/settings/settings.js';

export interface Machine {
  readonly env: Environment;
  readonly nodeVersion: string;
  /** MiB of the machine, of its container or of the heap, whatever is least. */
  readonly memory: number;
}

export interface Setup {
  readonly settings: Settings;
  readonly folders: Folders;
  readonly loaded: Loaded | Problems;
  /** The file of `--readings`. */
  readonly readings: object | Problems;
  /** The folder of the store; `undefined` if it has none. */
  readonly folder: string | undefined;
  readonly machine: Machine;
}

export function thisMachine(env: Environment): Machine {
  const heap = process.versions.bun === undefined ? getHeapStatistics().heap_size_limit : Number.POSITIVE_INFINITY; // Bun's heap has no limit
  const limits = [totalmem(), heap, process.constrainedMemory() || totalmem()];
  return { env, nodeVersion: process.versions.node, memory: Math.floor(Math.min(...limits) / 1024 / 1024) };
}

/** `values`: the checked values of the flags of `serve`. */
export function setupFrom(scenario: string | undefined, values: FlagValues, machine: Machine): Setup {
  const readings = readingsFrom(values.readings);
  const settings = settingsFrom(scenario, values, isProblems(readings) ? undefined : readings);
  const folders = defaultFolders(process.cwd(), settings);
  const [, kept] = /^file:(.*)/s.exec(settings.store) ?? [];
  const folder = kept === undefined ? undefined : resolve(kept);
  return { settings, folders, loaded: loadScenario(settings.scenario, folders), readings, folder, machine };
}

/** How clients on this machine reach it. `host`: without brackets. */
export function addressOf({ settings: { host: given, port, tls, tlsCert } }: Setup) {
  const scheme = tls || tlsCert !== undefined ? 'https' : 'http';
  const host = given === '0.0.0.0' || given === '::' ? '127.0.0.1' : given;
  return { scheme, host, url: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}` };
}
