// Runs `cwx-fake proxy`: a line for each exchange on standard error, and at the end on standard output the readings that all answers agree with.
// It is a server whose every request another one answers, so that its journal is read, followed and recorded as that of any other.

import { visible } from '../../derive/text/visible.js';
import { silentLog } from '../../engine/log.js';
import type { ForwarderSettings } from '../../http/forwarding/forwarder-settings.js';
import { type Process, writeLine, writeLines } from '../../process/command-process.js';
import { type Running, start } from '../../process/start.js';
import { Narrowing, narrowedText } from '../../remote/proxy/narrowing.js';
import { type ProxiedExchange, proxiedExchange } from '../../remote/proxy/proxied-exchange.js';
import { type Paint, painter, wantsColour } from '../../report/paint.js';
import { isProblems, type Problems, showProblem } from '../../scenario/yaml/problem.js';
import { settingsFrom } from '../../settings.js';
import { type Arguments, type ExitCode, exit } from '../command.js';

/** Ends with a signal: 0; 3 where nothing was passed on; 4 where the target never answered. */
export async function runProxy({ values }: Arguments, process: Process): Promise<ExitCode> {
  const { stdout, stderr, env } = process;
  const { target } = values;
  if (typeof target !== 'string')
    return fail(process, '--target is missing: give the URL of the server to pass requests on to');
  const narrowing = new Narrowing();
  const paint = painter(wantsColour(stderr.isTTY === true, env));
  let [count, answered] = [0, 0];
  const ended = new Promise<void>(resolve => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => resolve());
  });
  const forward = forwardingTo(target, values, exchange => {
    count += 1;
    if (exchange.answer !== undefined) answered += 1;
    const { seen, examined } = proxiedExchange(exchange);
    narrowing.take(examined.agrees);
    writeLine(stderr, values.json === true ? JSON.stringify(seen) : exchangeLines(seen, paint).join('\n'));
    return examined;
  });
  const running = await startProxy(values, forward);
  if (running instanceof Error) return fail(process, cannotListen(running, values));
  if (isProblems(running)) {
    writeLines(stderr, running.problems.map(showProblem));
    return exit.usage;
  }
  const { controlToken, url } = running;
  if (controlToken !== undefined && values['control-token'] === undefined)
    writeLine(stderr, `others may reach this address, so its journal takes this token: ${controlToken}`);
  writeLine(stderr, `cwx-fake proxy listening on ${url} (target ${target})`);
  await ended;
  await running.stop();
  if (count === 0) return fail(process, 'nothing was passed on', exit.empty);
  if (answered === 0) return fail(process, `${target} never answered`, exit.unreachable);
  stdout.write(narrowedText(narrowing.narrowed, target));
  return exit.held;
}

function forwardingTo(
  target: string,
  values: Arguments['values'],
  examine: NonNullable<ForwarderSettings['examine']>,
): ForwarderSettings {
  return {
    what: 'all',
    target: target.replace(/\/+$/, ''),
    timeout: Number(values.timeout ?? 30) * 1000,
    maxConnections: Number(values['max-connections'] ?? 256),
    insecure: values.insecure === true,
    trusting: '--insecure takes it all the same, and NODE_EXTRA_CA_CERTS names whom to trust',
    examine,
  };
}

/** What keeps it from listening is given back. */
function startProxy(values: Arguments['values'], forward: ForwarderSettings): Promise<Running | Problems | Error> {
  const { scenario, port = '8081', timeout: _, ...others } = values;
  const settings = settingsFrom(typeof scenario === 'string' ? scenario : undefined, {
    'max-connections': '256',
    ...others,
    port,
    'request-timeout': '0', // how long it takes is up to the target
  });
  return start({ ...settings, forward }, silentLog).catch((error: NodeJS.ErrnoException) => error);
}

function exchangeLines(exchange: ProxiedExchange, paint: Paint): string[] {
  const { method, url, status, duration, operation, departs, readings, problem } = exchange;
  const told = Object.entries(readings).map(([gap, { agrees }]) => `${gap}=${agrees.join('|')}`);
  const head = [
    `${visible(method)} ${visible(url.slice(0, 200))} ${status} ${Math.round(duration)} ms`,
    operation ?? 'no operation',
    ...(told.length === 0 ? [] : [paint('green', `agrees with: ${told.join(', ')}`)]),
  ];
  return [
    head.join(' · '),
    ...(problem === undefined ? [] : [paint('red', `    ${visible(problem)}`)]),
    ...departs.map(text => paint('yellow', `    departs from the document: ${visible(text)}`)),
  ];
}

function cannotListen(
  { code, message }: NodeJS.ErrnoException,
  { port = '8081', host = '127.0.0.1' }: Arguments['values'],
): string {
  if (code === 'EADDRINUSE')
    return `port ${port} of ${host} is in use: choose another with --port, or a free one with --port 0`;
  return `it cannot listen on ${host}:${port}: ${message}`;
}

function fail({ stderr }: Process, why: string, code: ExitCode = exit.usage): ExitCode {
  writeLine(stderr, `cwx-fake proxy: ${why}`);
  return code;
}
