// `cwx-fake serve`: a server in the foreground, until a signal ends it.

import { spawn } from 'node:child_process';
import { platform } from 'node:os';
import { StoreError } from '../engine/store.js';
import { ANY_HOST } from '../http/guards/host-guard.js';
import { chosenProfile, chosenReadings } from '../operations/gaps/profiles.js';
import {
  type Environment,
  type Output,
  type Process,
  type Signals,
  writeLine,
  writeLines,
} from '../process/command-process.js';
import { createLog } from '../process/create-log.js';
import { collectEarly } from '../process/early-collection.js';
import { type Running, start } from '../process/start.js';
import { BadCertificate } from '../process/tls-credentials.js';
import { watchScenario } from '../process/watch.js';
import { loadReadings } from '../scenario/load/readings-file.js';
import { isProblems, showProblem } from '../scenario/yaml/problem.js';
import { isLoopback } from '../server.js';
import { clashIn } from '../settings/validate-settings.js';
import { DEFAULT_SCENARIO, type Settings, serveFlags, settingsFrom } from '../settings.js';
import { type Arguments, type Command, type ExitCode, exit } from './command.js';

export const serve: Command = {
  name: 'serve',
  summary: 'Serve a scenario over HTTP. This is what cwx-fake does when it is given no command.',
  usage: '[scenario]',
  minArgs: 0,
  maxArgs: 1,
  flags: serveFlags,
  examples: [
    ['cwx-fake', `serve the scenario ${DEFAULT_SCENARIO} on http://127.0.0.1:8080`],
    ['cwx-fake serve unlicensed --port 0', 'serve another scenario on a free port'],
    ['cwx-fake serve --profile strict', 'refuse what some server may refuse'],
    ['cwx-fake serve --reading unknown-user=400 --reading wiki-auth=admin', 'choose how open questions are read'],
    ['cwx-fake serve ./my-team.yaml --watch', 'serve a file of your own, loaded anew when it changes'],
    ['cwx-fake serve --open', 'open the dashboard in a browser as well'],
    ['cwx-fake serve --store file:./sandboxes', 'keep sandboxes over a restart'],
    ['cwx-fake serve --store redis://127.0.0.1:6379', 'share sandboxes with every other server on that Redis'],
  ],
  run,
};

async function run({ positionals, values }: Arguments, process: Process): Promise<ExitCode> {
  const { stdout, stderr } = process;
  const file = typeof values.readings === 'string' ? loadReadings(values.readings) : { readings: {} };
  if (isProblems(file)) return fail(stderr, file.problems.map(showProblem));
  const settings = settingsFrom(positionals[0], values, file);
  const clash = clashIn(settings);
  if (clash !== undefined) return fail(stderr, [`cwx-fake serve: ${clash.message}`]);
  const log = createLog(settings.log, stderr, process.env);
  let running: Awaited<ReturnType<typeof start>>;
  try {
    running = await start(settings, log);
  } catch (error) {
    if (error instanceof StoreError) {
      writeLine(stderr, error.message);
      return error.failure === 'away' ? exit.unreachable : exit.usage;
    }
    if (error instanceof BadCertificate) return fail(stderr, [`cwx-fake serve: ${error.message}`]);
    return fail(stderr, [cannotListen(error as NodeJS.ErrnoException, settings.host, settings.port)]);
  }
  if (isProblems(running)) return fail(stderr, running.problems.map(showProblem));
  running.session.memory.whenHalf(() => collectEarly(running.session.memory.limits.total));
  const ended = signalled(process); // whoever reads the next line may end it at once, or change a file
  const unwatch = settings.watch ? watchScenario(running, settings.scenario, log) : () => {};
  tellToken(stderr, running, settings.host, settings.controlToken !== undefined);
  tellOverridden(stderr, running, settings.readings);
  writeLines(stderr, opened(settings));
  if (settings.tls && settings.tlsCert === undefined)
    writeLine(stderr, `clients trust it with the certificate of this run: ${running.tls?.file}`);
  if (settings.log === 'pretty') writeLine(stderr, profileLine(settings, running));
  writeLine(stdout, `cwx-fake listening on ${running.url} (scenario ${running.loaded.origin.scenario})`);
  if (settings.open) openDashboard(running, line => writeLine(stderr, line), process.env);
  const isCollected = settings.log === 'json'; // a person has the line above, and the prompt when it has ended
  const { scenario } = running.loaded.origin;
  if (isCollected) log.info('started', { url: running.url, scenario, ...profileIn(settings, running) });
  const signal = await ended;
  unwatch();
  await running.stop();
  if (isCollected) log.info('stopped', { signal });
  return exit.held;
}

function tellToken(stderr: Output, { controlToken }: Running, host: string, wasGiven: boolean): void {
  if (controlToken === undefined || wasGiven) return;
  writeLine(stderr, `${host} is not a loopback address, so the control API takes this token: ${controlToken}`);
}

/** A reading of the command line that the scenario reads otherwise would be lost in silence. */
function tellOverridden(stderr: Output, { loaded }: Running, readings: Readonly<Record<string, string>>): void {
  for (const [gap, reading] of Object.entries(loaded.origin.readings)) {
    const given = readings[gap];
    if (given !== undefined && given !== reading) {
      writeLine(
        stderr,
        `the scenario ${loaded.origin.scenario} reads ${gap} as ${reading}, which lies over ${gap}=${given}`,
      );
    }
  }
}

/** Whoever forgets credentials has to know why that is not found out. */
function profileLine(settings: Settings, running: Running): string {
  const { profile, wikiAuth } = profileIn(settings, running);
  if (wikiAuth !== 'open') return `profile ${profile}`;
  return `profile ${profile}: wiki operations need no credentials (wiki-auth=open). --profile strict asks for them.`;
}

function profileIn(settings: Settings, { loaded: { origin } }: Running) {
  return { profile: chosenProfile(settings, origin), wikiAuth: chosenReadings(settings, origin)['wiki-auth'] };
}

function cannotListen({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `port ${port} of ${host} is in use: choose another with --port, or a free one with --port 0`;
  if (code === 'EACCES') return `port ${port} may not be used by this user: choose one above 1023 with --port`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is no address of this machine${isLoopback(host) ? '' : ': choose one with --host'}`;
  return `it cannot listen on ${host}:${port}: ${message}`;
}

function fail(stderr: Output, lines: readonly string[]): ExitCode {
  writeLines(stderr, lines);
  return exit.usage;
}

function signalled(process: Signals): Promise<NodeJS.Signals> {
  return new Promise(resolve => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
}

/** What the flags open that is closed by default, in words that nobody overlooks: a line for each. */
function opened({ allowedHosts, control, host }: Settings): string[] {
  return [
    ...(allowedHosts.includes(ANY_HOST)
      ? [
          `WARNING: --allow-host ${ANY_HOST}: every Host is answered, so a web page that a browser on this network has open can reach this server under a name of its own`,
        ]
      : []),
    ...(control === 'open' && !isLoopback(host)
      ? [`WARNING: --control open: whoever reaches ${host} can steer this server and read its journal, without a token`]
      : []),
  ];
}

/** The program that opens an address, by platform; `BROWSER` takes its place. */
const openers: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** A server goes on where none can be opened: the address is then written for people to open. The token is in the part that no request carries. */
function openDashboard(
  { url, controlToken }: Pick<Running, 'url' | 'controlToken'>,
  write: (line: string) => void,
  { BROWSER: browser }: Environment,
): void {
  const address = `${url}/_fake/ui/`;
  const [program, ...args] = browser ? [browser] : (openers[platform()] ?? ['xdg-open']);
  const failed = () => write(`no browser could be opened with ${program}: open ${address}`);
  const token = controlToken === undefined ? '' : `#token=${encodeURIComponent(controlToken)}`;
  const opener = spawn(program, [...args, `${address}${token}`], { stdio: 'ignore', detached: true });
  opener.once('error', failed).once('exit', code => (code === 0 || code === null ? undefined : failed()));
  opener.unref();
}
