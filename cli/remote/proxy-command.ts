// `cwx-fake proxy`: a line for each exchange on standard error, and at the end on standard output the readings that all responses agree with. It is a
// fake that forwards every request, so its journal works like any other.

import { Narrowing, narrowedText } from '../../harness/proxy/narrowing.js';
import { type ProxiedExchange, proxiedExchange } from '../../harness/proxy/proxied-exchange.js';
import { visible } from '../../server/derive/text/visible.js';
import { silentLog } from '../../server/engine/log.js';
import type { ForwardSettings } from '../../server/http/forwarding/forward-settings.js';
import { withoutEndingSlashes } from '../../server/outgoing/parsed-url.js';
import { type Paint, painterFor } from '../../server/process/colors.js';
import { type Process, writeLine } from '../../server/process/command-process.js';
import { droppingWriter, endUnread } from '../../server/process/dropping-output.js';
import { interruption } from '../../server/process/interruption.js';
import { listenFailure } from '../../server/process/listen-failure.js';
import { start } from '../../server/process/start.js';
import { checkBaseUrl, checkWholeNumber } from '../../server/settings/flag-checks.js';
import {
  clientCertificateFlags,
  type Flag,
  flagsOfServe,
  flagsOfServeMeaning,
} from '../../server/settings/serve-flags.js';
import { type Settings, settingsFrom } from '../../server/settings/settings.js';
import { type Arguments, type Command, type ExitCode, exit, fail, usable } from '../command/command.js';

export const proxyFlags: readonly Flag[] = [
  {
    name: 'target',
    value: 'url',
    description: 'server to forward requests to',
    example: 'https://wiki.example.com',
    check: value => checkBaseUrl(value),
  },
  ...flagsOfServe('port').map(port => ({ ...port, default: '8081' })),
  ...flagsOfServe('host'),
  {
    name: 'timeout',
    value: 's',
    description: 'seconds to wait for a response to start, and for each further part of it',
    default: '30',
    check: checkWholeNumber(1, 3600),
  },
  {
    name: 'max-connections',
    value: 'n',
    description: 'maximum number of connections on each side: from clients, and to the target',
    default: '256',
    check: checkWholeNumber(1, 16_384),
  },
  { name: 'insecure', description: "accept the target's certificate even if it is not trusted" },
  ...clientCertificateFlags,
  { name: 'json', description: 'print each exchange as a line of JSON instead of text' },
  {
    name: 'scenario',
    value: 'name',
    description: "scenario or fixture that describes the target's initial world, for cwx-fake record",
    default: 'small-team',
  },
  ...flagsOfServe('journal'),
  ...flagsOfServeMeaning({ 'no-rewrite': "leave redirects, cookies and links in the target's responses unchanged" }),
  ...flagsOfServe('control-token', 'allow-host', 'fixtures', 'scenarios'),
];

export const proxy: Command = {
  name: 'proxy',
  summary: 'Forward requests to a real server, and report its readings and any violations of the document.',
  usage: '',
  flags: proxyFlags,
  examples: [
    [
      'cwx-fake proxy --target https://wiki.example.com > readings.yaml',
      'forward until Ctrl-C, then write a file for serve --readings',
    ],
    ['cwx-fake proxy --target http://localhost:8090 --port 0 --json', 'print each exchange as JSON on standard error'],
    ['cwx-fake journal --url http://127.0.0.1:8081 --follow', 'follow the journal of a running proxy'],
    ['cwx-fake record --url http://127.0.0.1:8081 > scenarios/seen.yaml', 'save its exchanges as a scenario'],
  ],
  run: runProxy,
};

/** Exits after a signal with 0; with 3 if nothing was forwarded, 4 if the target never responded. */
async function runProxy({ values }: Arguments, process: Process): Promise<ExitCode> {
  const { stdout, stderr, env } = process;
  const { target } = values;
  if (typeof target !== 'string')
    fail(exit.usage, 'missing required flag --target: the URL of the server to forward requests to');
  const narrowing = new Narrowing();
  const paint = painterFor(stderr, env);
  let [count, answered] = [0, 0];
  const write = droppingWriter(stderr, dropped =>
    writeLine(stderr, `${dropped} exchanges were not printed, because standard error could not keep up`),
  );
  const forward = forwardingTo(target, values, exchange => {
    count += 1;
    if (exchange.response !== undefined) answered += 1;
    const { seen, examined } = proxiedExchange(exchange);
    narrowing.take(examined.agrees);
    write(`${values.json === true ? JSON.stringify(seen) : exchangeLines(seen, paint).join('\n')}\n`);
    return examined;
  });
  const settings = { ...settingsOf(values), forward };
  const started = start(settings, silentLog).catch((error: NodeJS.ErrnoException) => {
    const { problem, fix } = listenFailure(error, settings);
    return fail(exit.usage, `${problem}: ${fix}`);
  });
  const running = usable(await started);
  const interrupted = interruption(process);
  const { controlToken, url } = running;
  if (controlToken !== undefined && values['control-token'] === undefined)
    writeLine(stderr, `${settings.host} is not a loopback address; control token: ${controlToken}`);
  writeLine(stderr, `cwx-fake proxy listening on ${url} (target ${target})`);
  await interrupted.came;
  await running.stop();
  interrupted.release();
  endUnread(process, exit.passed);
  if (count === 0) fail(exit.empty, 'no request was forwarded');
  if (answered === 0) fail(exit.unreachable, `${target} never responded`);
  stdout.write(narrowedText(narrowing.narrowed, target));
  return exit.passed;
}

function forwardingTo(
  target: string,
  values: Arguments['values'],
  examine: NonNullable<ForwardSettings['examine']>,
): ForwardSettings {
  return {
    what: 'all',
    rewrite: values['no-rewrite'] !== true,
    target: withoutEndingSlashes(target),
    timeout: Number(values.timeout ?? 30) * 1000,
    maxConnections: Number(values['max-connections'] ?? 256),
    insecure: values.insecure === true,
    trusting: 'accept it with --insecure, or trust its CA with NODE_EXTRA_CA_CERTS',
    examine,
  };
}

function settingsOf({ scenario, timeout: _, ...others }: Arguments['values']): Settings {
  const standard = { port: '8081', 'max-connections': '256' };
  const fixed = { 'request-timeout': '0' }; // the target decides how long it takes
  return settingsFrom(scenario?.toString(), { ...standard, ...others, ...fixed });
}

function exchangeLines(exchange: ProxiedExchange, paint: Paint): string[] {
  const { method, url, status, duration, operation, violations, readings, problem } = exchange;
  const agreeing = Object.entries(readings).map(([gap, { agrees }]) => `${gap}=${agrees.join('|')}`);
  const head = [
    `${visible(method)} ${visible(url.slice(0, 200))} ${status} ${Math.round(duration)} ms`,
    operation ?? 'no operation',
    ...(agreeing.length === 0 ? [] : [paint('green', `agrees with: ${agreeing.join(', ')}`)]),
  ];
  return [
    head.join(' · '),
    ...(problem === undefined ? [] : [paint('red', `    ${visible(problem)}`)]),
    ...violations.map(text => paint('yellow', `    violates the document: ${visible(text)}`)),
  ];
}
