// `cwx-fake health`: asks the server that `serve` starts with the same flags and variables whether it is healthy, as containers do.

import { readFileSync } from 'node:fs';
import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import { connectionFailure } from '../../server/derive/text/connection-failure.js';
import { visible } from '../../server/derive/text/visible.js';
import { parsedJson } from '../../server/domain/json/parsed-json.js';
import { type Process, writeLine } from '../../server/process/command-process.js';
import { flagsOfServeMeaning, serveFlags } from '../../server/settings/serve-flags.js';
import type { FlagValues } from '../../server/settings/settings.js';
import { type Arguments, type Command, type ExitCode, exit, fail, readArguments } from '../command/command.js';

const TIMEOUT_MS = 3000;

export const health: Command = {
  name: 'health',
  summary:
    'Check whether a server on this machine is healthy. The flags and variables for its address are those of serve.',
  usage: '',
  flags: flagsOfServeMeaning({
    port: 'the port of the server',
    host: 'the address that the server listens on',
    tls: 'connect with HTTPS',
    'tls-cert': 'certificate of the server; implies --tls',
  }),
  examples: [
    ['cwx-fake health', 'exit with 0 if the server is healthy'],
    ['cwx-fake health --port 9000 --tls', 'check the server that cwx-fake serve --port 9000 --tls started'],
  ],
  run,
};

/** Exits with 1 if the server is not healthy, for instance while its store is away. */
async function run({ values }: Arguments, process: Process): Promise<ExitCode> {
  const url = healthUrl(settingsOf(values, process.env));
  const away = (error: Error) => fail(exit.unreachable, `${url.origin} does not respond: ${connectionFailure(error)}`);
  const response = await ask(url).catch(away);
  const body = parsedJson(await text(response).catch(away));
  const { status, trouble } = (body ?? {}) as { readonly status?: unknown; readonly trouble?: unknown };
  const why = [status, trouble].filter(part => typeof part === 'string').join(': ') || 'this is not a cwx-fake';
  if (response.statusCode !== 200 || status !== 'ok')
    fail(exit.failed, `${url.origin} returned ${response.statusCode}: ${visible(why)}`);
  writeLine(process.stdout, `healthy: ${url.origin}`);
  return exit.passed;
}

function ask(url: URL): Promise<IncomingMessage> {
  const get = url.protocol === 'https:' ? getHttps : getHttp;
  const options = {
    agent: false, // Node's global agent uses a proxy if NODE_USE_ENV_PROXY is set
    headers: { Host: 'localhost' }, // always allowed
    rejectUnauthorized: false, // the server's own certificate names other hosts, or is self-signed
    timeout: TIMEOUT_MS,
  };
  return new Promise((resolve, reject) => {
    const request = get(url, options, resolve).once('error', reject);
    request.once('timeout', () => request.destroy(new Error(`no response in ${TIMEOUT_MS / 1000} seconds`)));
  });
}

/** The flags of this command, else those of the container's server, else the variables. */
function settingsOf(values: FlagValues, env: Process['env']): FlagValues {
  const { values: surrounding } = readArguments(health, [], env);
  const given = Object.entries(values).filter(([name, value]) => surrounding[name] !== value);
  const serving = servingArgs(firstProcess()) ?? [];
  const { values: served } = readArguments({ ...health, usage: '[scenario]', flags: serveFlags }, serving, env);
  return { ...served, ...Object.fromEntries(given) };
}

/** The command line of process 1; empty where there is no /proc. */
function firstProcess(): string {
  try {
    return readFileSync('/proc/1/cmdline', 'utf8');
  } catch {
    return '';
  }
}

/** The arguments of `serve` in a command line, if it is this program's. */
export function servingArgs(commandLine: string): readonly string[] | undefined {
  const words = commandLine.split('\0').slice(0, -1);
  const at = words.findIndex(word => ['cwx-fake', 'cli.js'].includes(basename(word)));
  if (at === -1) return undefined;
  return words.slice(words[at + 1] === 'serve' ? at + 2 : at + 1);
}

/** Where the server of these flags answers. */
export function healthUrl(values: FlagValues): URL {
  const { port = '8080', host = '127.0.0.1' } = values;
  const scheme = values.tls === true || values['tls-cert'] !== undefined ? 'https' : 'http';
  const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const address = everywhere[String(host)] ?? String(host);
  return new URL(`${scheme}://${address.includes(':') ? `[${address}]` : address}:${port}/_fake/health`);
}
