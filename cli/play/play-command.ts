// `cwx-fake play`: scenarios as demos and as tests, in this process or against a server.

import { coverageIn } from '../../harness/report/coverage-part.js';
import { checksOf, coverageOf } from '../../harness/report/played.js';
import { writeReports } from '../../harness/report/write.js';
import { counted } from '../../server/derive/text/counted.js';
import { type Process, writeLine } from '../../server/process/command-process.js';
import { packageVersion } from '../../server/process/package.js';
import { defaultFolders } from '../../server/scenario/files/folders.js';
import type { Step } from '../../server/scenario/format/step-format.js';
import { loadScenarios, type NamedScenario } from '../../server/scenario/load/load-named.js';
import { Player } from '../../server/scenario/play/player.js';
import { Results } from '../../server/scenario/play/results.js';
import { type Run, readingsOf, runsOf } from '../../server/scenario/play/runs.js';
import { settingsFrom } from '../../server/settings/settings.js';
import { type Arguments, type Command, type ExitCode, exit, fail, usable } from '../command/command.js';
import { perform } from '../terminal/show-play.js';
import { type PlayOptions, playFlags, playOptions } from './play-flags.js';
import { openPlayTarget, type PlayTarget } from './play-target.js';

export const play: Command = {
  name: 'play',
  summary: 'Play scenarios, as demos and as tests, in this process or against a server.',
  usage: '<scenario…>',
  flags: playFlags,
  examples: [
    ['cwx-fake play pushing-favourites', 'play a scenario by its name'],
    ['cwx-fake play onboarding-a-team --step', 'play step by step: Enter or Space continues, q quits'],
    ['cwx-fake play scenarios/ --report junit=report.xml', 'play your own scenarios as tests'],
    ['cwx-fake record > seen.yaml; cwx-fake play seen.yaml', 'replay the requests that a running fake received'],
    [
      'cwx-fake play first-steps --target http://127.0.0.1:8080/~demo',
      'play in a sandbox of a fake, and inspect it afterwards',
    ],
  ],
  run: runPlay,
};

async function runPlay({ positionals, values }: Arguments, process: Process): Promise<ExitCode> {
  const options = playOptions(values, process.stdin.isTTY === true && process.stdout.isTTY === true);
  const found = usable(loadScenarios(positionals, defaultFolders(process.cwd(), settingsFrom(undefined, values))));
  const { before } = options;
  const meant = before === undefined ? found : found.map(one => cutBefore(one, before));
  const opened = await openPlayTarget(options, meant, process);
  const { target, about, run: fresh } = opened;
  const results = new Results();
  const startedAt = new Date();
  const { passwords } = options;
  const runs = runsOf(meant, target.control !== undefined).filter(({ probed }) => isMeant(probed, options));
  const playerFor = (one: (typeof runs)[number]) =>
    new Player(one.loaded, target, {
      passwords,
      readings: readingsOf(one),
      ...(fresh !== undefined && { run: fresh }),
    });
  let signal: NodeJS.Signals | undefined;
  try {
    signal = await perform({ runs, playerFor, results }, about, options, process);
  } finally {
    report(process, opened, options, results, startedAt);
    await opened.close();
  }
  if (signal !== undefined) process.kill(process.pid, signal); // as if the signal had not been caught
  const checks = checksOf(results, about);
  if (options.isJson) writeLine(process.stdout, JSON.stringify({ outcome: results.outcome, checks }, null, 2));
  return exit[results.outcome];
}

function isMeant(probed: Run['probed'], { reading }: PlayOptions): boolean {
  return reading === undefined || probed === undefined || reading === `${probed.gap}=${probed.reading}`;
}

/** The scenario up to the preparations of a step, from 1. */
function cutBefore({ name, loaded }: NamedScenario, before: number): NamedScenario {
  const last = loaded.steps[before - 1];
  if (last === undefined)
    fail(exit.usage, `--before ${before}: ${name} has only ${counted(loaded.steps.length, 'step')}`);
  const prepared = Object.fromEntries(Object.entries(last).filter(([part]) => PREPARING.includes(part))) as Step; // parts of a step
  return { name, loaded: { ...loaded, steps: [...loaded.steps.slice(0, before - 1), prepared] } };
}

/** The parts of a step that take effect before its request. */
const PREPARING: readonly string[] = ['say', 'reset', 'clock', 'world', 'faults', 'stubs'] satisfies ReadonlyArray<
  keyof Step
>;

function report(
  { stdout, stderr, env }: Process,
  { place, about }: PlayTarget,
  { reports }: PlayOptions,
  results: Results,
  startedAt: Date,
): void {
  if (reports.files.length === 0 && !reports.github) return;
  const coverage = coverageOf(results);
  const met = coverage && coverageIn(coverage);
  const written = writeReports(
    {
      tool: 'cwx-fake play',
      version: packageVersion(),
      title: 'cwx-fake play',
      startedAt: startedAt.toISOString(),
      duration: Date.now() - startedAt.getTime(),
      checks: checksOf(results, about),
      properties: { target: place, ...met?.properties },
      ...(met && { parts: met.parts }),
    },
    reports,
    { env, print: line => writeLine(stdout, line) },
  );
  for (const problem of written) writeLine(stderr, `cwx-fake play: ${problem}`);
}
