// One run of a suite under readings, with a fake of its own and the coverage of all fakes that its processes started.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VariationName } from '../../server/derive/document/variations.js';
import { addCoverage, type Coverage } from '../../server/engine/journal/coverage.js';
import { silentLog } from '../../server/engine/log.js';
import type { ReadingChoice } from '../../server/operations/gaps/profiles.js';
import type { Environment } from '../../server/process/command-process.js';
import { start } from '../../server/process/start.js';
import { isProblems, type Problems } from '../../server/scenario/yaml/problem.js';
import type { Settings } from '../../server/settings/settings.js';
import { type CommandRun, runSuite, type SuiteCommand } from './suite-command.js';

/** How to run a suite. */
export interface SuiteSettings extends Omit<SuiteCommand, 'env' | 'timeout'> {
  /** Timeout of each run in milliseconds. Default: the usual one. */
  readonly timeout?: number;
  readonly env: Environment;
  /** Additional environment variables; `{url}` in their values is replaced by the URL of the fake. */
  readonly variables: Readonly<Record<string, string>>;
  /** Settings of the fake of each run. */
  readonly settings: Settings;
}

export interface SuiteTrial extends CommandRun {
  readonly coverage: Coverage;
}

/** Runs the suite once, for at most `usualTimeout` milliseconds unless the suite sets another timeout. Rejects with `NoSuchCommand`. */
export async function trySuite(
  { settings, variables, env, words, cwd, timeout: most }: SuiteSettings,
  choice: ReadingChoice,
  signal: AbortSignal,
  usualTimeout: number,
  vary: readonly VariationName[] = [],
): Promise<SuiteTrial | Problems> {
  const running = await start({ ...settings, ...choice, vary }, silentLog);
  if (isProblems(running)) return running;
  const folder = mkdtempSync(join(tmpdir(), 'cwx-fake-coverage-'));
  try {
    const surroundings = {
      ...env,
      ...environmentOf(running.url, folder, choice, variables),
      CWX_FAKE_VARY: vary.join(','),
    };
    const run = await runSuite({ words, cwd, env: surroundings, timeout: most ?? usualTimeout }, signal);
    return { ...run, coverage: addCoverage([running.session.coverage.present(), ...leftIn(folder)]) };
  } finally {
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function environmentOf(
  url: string,
  folder: string,
  { profile, readings = {} }: ReadingChoice,
  variables: SuiteSettings['variables'],
): Record<string, string> {
  return {
    NO_COLOR: '1', // reasons are taken from the output
    CWX_FAKE_URL: url,
    CWX_FAKE_COVERAGE: folder,
    ...(profile !== undefined && { CWX_FAKE_PROFILE: profile }),
    CWX_FAKE_READING: Object.entries(readings)
      .map(([gap, reading]) => `${gap}=${reading}`)
      .join(','),
    ...Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value.replaceAll('{url}', url)])),
  };
}

/** Coverage that the suite's own fakes left in the folder, which this process made for them. */
function leftIn(folder: string): Coverage[] {
  return readdirSync(folder)
    .filter(name => name.startsWith('coverage-') && name.endsWith('.json'))
    .map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage);
}
