// `cwx-fake serve`: a server in the foreground until a signal.

import { spawn } from 'node:child_process';
import { platform } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { StoreError } from '../server/engine/store.js';
import { ANY_HOST } from '../server/http/host.js';
import { chosenProfile, chosenReadings } from '../server/operations/gaps/profiles.js';
import { type Environment, type Process, writeLine, writeLines } from '../server/process/command-process.js';
import { createLog } from '../server/process/create-log.js';
import { endUnread } from '../server/process/dropping-output.js';
import { interruption } from '../server/process/interruption.js';
import { listenFailure } from '../server/process/listen-failure.js';
import { whenNpmEnds } from '../server/process/npm-parent.js';
import { isLoopback } from '../server/process/server.js';
import { type Running, start } from '../server/process/start.js';
import { BadCertificate } from '../server/process/tls-credentials.js';
import { logUncaught } from '../server/process/uncaught.js';
import { watchScenario } from '../server/process/watch.js';
import { readingsFrom } from '../server/scenario/load/readings-file.js';
import { serveFlags } from '../server/settings/serve-flags.js';
import { clashIn, DEFAULT_SCENARIO, type Settings, settingsFrom } from '../server/settings/settings.js';
import { type Arguments, type Command, type ExitCode, end, exit, fail, usable } from './command/command.js';

export const serve: Command = {
  name: 'serve',
  summary: 'Serve a scenario over HTTP. This is the default command.',
  usage: '[scenario]',
  flags: serveFlags,
  examples: [
    ['cwx-fake', `serve the scenario ${DEFAULT_SCENARIO} on http://127.0.0.1:8080`],
    ['cwx-fake serve unlicensed --port 0', 'serve another scenario, on a free port'],
    ['cwx-fake serve --profile strict', 'refuse everything that a real server might refuse'],
    ['cwx-fake serve --reading unknown-user=400 --reading wiki-auth=admin', 'choose readings'],
    ['cwx-fake serve ./my-team.yaml --watch', 'serve your own scenario file, and reload it when it changes'],
    ['cwx-fake serve --open', 'also open the dashboard in a browser'],
    ['cwx-fake serve --store file:./sandboxes', 'keep sandboxes across restarts'],
    ['cwx-fake serve --store redis://127.0.0.1:6379', 'share sandboxes with all servers that use this Redis'],
  ],
  run,
};

async function run({ positionals, values }: Arguments, process: Process): Promise<ExitCode> {
  const { stdout, stderr } = process;
  const settings = settingsFrom(positionals[0], values, usable(readingsFrom(values.readings)));
  const clash = clashIn(settings);
  if (clash !== undefined) fail(exit.usage, clash.message);
  const log = createLog(settings.log, stderr, process.env);
  setFlagsFromString('--heap-growing-percent=100'); // by V8's default, the heap may grow to several times what is in use; less than 100 costs speed
  setFlagsFromString('--no-allocation-site-pretenuring'); // V8 takes entries and versions for long-lived in a full journal: then garbage fills the heap
  let unwatchNpm = () => {};
  const npmEnded = new Promise<'npm'>(resolve => {
    unwatchNpm = whenNpmEnds(process.env, () => resolve('npm'));
  });
  const running = usable(await start(settings, log).catch(error => notStarted(error, settings)));
  const ignoreUncaught = logUncaught(log);
  const interrupted = interruption(process); // whoever reads the next line may end the server or change a file at once
  const unwatch = settings.watch ? watchScenario(running, settings.scenario, log) : () => {};
  writeLines(stderr, noticesOf(settings, running));
  writeLine(stdout, `cwx-fake listening on ${running.url} (scenario ${running.loaded.origin.scenario})`);
  if (settings.open) openDashboard(running, line => writeLine(stderr, line), process.env);
  const isCollected = settings.log === 'json'; // a person sees the line above, and the prompt at the end
  const { scenario } = running.loaded.origin;
  if (isCollected) log.info('started', { url: running.url, scenario, ...profileIn(settings, running) });
  const signal = await Promise.race([interrupted.came, npmEnded]);
  unwatchNpm();
  unwatch();
  await running.stop();
  interrupted.release();
  ignoreUncaught();
  endUnread(process, exit.passed);
  if (isCollected) log.info('stopped', { signal });
  return exit.passed;
}

function notStarted(error: NodeJS.ErrnoException, settings: Settings): never {
  if (error instanceof StoreError) end(error.failure === 'away' ? exit.unreachable : exit.usage, error.message);
  if (error instanceof BadCertificate) fail(exit.usage, error.message);
  const { problem, fix } = listenFailure(error, settings);
  end(exit.usage, `${problem}: ${fix}`);
}

/** Tells users who forget credentials why that goes unnoticed. */
function profileLine(settings: Settings, running: Running): string {
  const { profile, wikiAuth } = profileIn(settings, running);
  if (wikiAuth !== 'open') return `profile ${profile}`;
  return `profile ${profile}: wiki operations need no credentials (wiki-auth=open). --profile strict requires them.`;
}

function profileIn(settings: Settings, { loaded: { origin } }: Running) {
  return { profile: chosenProfile(settings, origin), wikiAuth: chosenReadings(settings, origin)['wiki-auth'] };
}

/** What to know about a server that has started, one line each; warnings about what the flags open that is closed by default. */
function noticesOf(settings: Settings, running: Running): string[] {
  const { allowedHosts, control, host } = settings;
  const { scenario, readings } = running.loaded.origin;
  const given: Readonly<Record<string, string>> = settings.readings;
  const overridden = Object.entries(readings).filter(([gap, reading]) => (given[gap] ?? reading) !== reading);
  return [
    ...(running.controlToken === undefined || settings.controlToken !== undefined
      ? []
      : [`${host} is not a loopback address; control token: ${running.controlToken}`]),
    ...overridden.map(
      ([gap, reading]) => `the scenario ${scenario} sets ${gap}=${reading}, which overrides ${gap}=${given[gap]}`,
    ),
    ...(allowedHosts.includes(ANY_HOST)
      ? [
          `WARNING: --allow-host ${ANY_HOST}: this server accepts every Host header, so any web page open in a browser on this network can reach it (DNS rebinding)`,
        ]
      : []),
    ...(control === 'open' && !isLoopback(host)
      ? [
          `WARNING: --control open: anyone who can reach ${host} can control this server and read its journal, without a token`,
        ]
      : []),
    ...(settings.tls && settings.tlsCert === undefined
      ? [`self-signed certificate, for clients to trust: ${running.tls?.file}`]
      : []),
    ...(settings.log === 'pretty' ? [profileLine(settings, running)] : []),
  ];
}

/** The program that opens a URL, by platform; `BROWSER` wins. */
const openers: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** If no browser can be opened, the server keeps running and prints the address. The token is in the fragment, which no request carries. */
function openDashboard(
  { url, controlToken }: Pick<Running, 'url' | 'controlToken'>,
  write: (line: string) => void,
  { BROWSER: browser }: Environment,
): void {
  const address = `${url}/_fake/ui/`;
  const [program, ...args] = browser ? [browser] : (openers[platform()] ?? ['xdg-open']);
  const failed = () => write(`cannot open a browser with ${program}: open ${address} yourself`);
  const token = controlToken === undefined ? '' : `#token=${encodeURIComponent(controlToken)}`;
  const opener = spawn(program, [...args, `${address}${token}`], { stdio: 'ignore', detached: true });
  opener.once('error', failed).once('exit', code => (code === 0 || code === null ? undefined : failed()));
  opener.unref();
}
