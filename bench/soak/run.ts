// `npm run soak`: attacks of every kind beside ordinary requests. Fails if the server takes more memory than it promises, keeps a bystander waiting,
// ends, or answers a 5xx other than 503 and 507. --requests n: that many ordinary requests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { markdown } from '../../tests/support/measuring/table.js';
import { watch } from '../harness/bystander.js';
import { builtScript } from '../harness/places.js';
import { ask, attacks, largeSandbox, ordinary, type Victim } from './attacks.js';

const MAX_MEMORY = 256;
/** MiB of the process. */
const MOST = 2 * MAX_MEMORY + 300;
/** Milliseconds that a bystander may wait. */
const MAX_MEDIAN = 50;
const MAX_P99 = 700;
const LANES = 8;
/** Between two attacks of one kind. The first ones of all kinds come together. */
const PAUSE_MS = 60_000;
const MIB = 1024 * 1024;

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '1000000' }, only: { type: 'string', default: '' } },
});
const requests = Number(values.requests);
if (!Number.isSafeInteger(requests) || requests < 1) throw new Error('--requests must be a whole number from 1');

const broken = [
  'HTTP/1.1 000 X\r\n\r\n',
  'HTTP/1.1 200 \x01\r\n\r\n',
  'HTTP/1.1 101 X\r\n\r\n',
  'HTTP/1.1 100 X\r\n\r\n',
];
const other = createServer(socket => {
  socket.on('error', () => {});
  socket.once('data', () => socket.write((broken[Math.floor(Math.random() * broken.length)] ?? '').repeat(30)));
}).listen(0, '127.0.0.1');
await once(other, 'listening');

const { port: otherPort } = other.address() as AddressInfo;
const flags = ['--port', '0', '--log', 'silent', '--max-memory', String(MAX_MEMORY)];
const command = ['--max-semi-space-size=64', builtScript('server/cli.js'), 'serve', ...flags];
const child = spawn(
  process.execPath,
  [...command, '--fallback', `http://127.0.0.1:${otherPort}`, '--fallback-timeout', '2'],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
process.once('exit', () => child.kill('SIGKILL'));
const [line] = (await once(child.stdout, 'data')) as [Buffer];
const port = Number(/listening on http:\/\/[^:]+:(\d+)/.exec(String(line))?.[1]);
const victim: Victim = { port, statuses: new Map() };
if ((await ask(victim, largeSandbox)) !== 201) throw new Error('the large world was refused');

let sent = 0;
let memory = 0;
let end = () => {};
const over = new Promise<void>(resolve => {
  end = resolve;
});
const isOver = () => sent >= requests || child.exitCode !== null;
const bystander = await watch(`http://127.0.0.1:${port}`, '/_fake/health');
const tried = new Map<string, number>();
await Promise.all([
  watchMemory(),
  ...Array.from({ length: LANES }, lane),
  ...Object.entries(attacks)
    .filter(([name]) => name.includes(values.only))
    .map(([name, attack]) => repeat(name, attack)),
]);
const waits = await bystander.stop();
const ended = child.exitCode;
child.kill('SIGTERM');
if (ended === null) await once(child, 'exit');
other.close();

const wrong = [...victim.statuses].filter(([status]) => status >= 500 && ![503, 507].includes(status));
const problems = [
  ...(ended === null ? [] : [`the server ended with ${ended}`]),
  ...(memory > MOST * MIB ? [`it took ${Math.round(memory / MIB)} MiB`] : []),
  ...(waits.median > MAX_MEDIAN ? [`half of a bystander's requests took ${Math.round(waits.median)} ms`] : []),
  ...(waits.p99 > MAX_P99 ? [`a hundredth of a bystander's requests took ${Math.round(waits.p99)} ms`] : []),
  ...wrong.filter(([status]) => ![502, 504].includes(status)).map(([status, count]) => `${count} × ${status}`),
];
console.log(
  markdown({
    title: `${sent} ordinary requests among attacks`,
    note: `Memory up to ${Math.round(memory / MIB)} MiB, a bystander waited ${Math.round(waits.median)} ms (median), ${Math.round(waits.p99)} ms (p99), at most ${Math.round(waits.longest)} ms. 502 and 504 are of the other server.`,
    columns: ['what', 'number'],
    rows: [
      ...[...tried].map(([name, count]) => [name, String(count)]),
      ...[...victim.statuses].sort(([a], [b]) => a - b).map(([status, count]) => [`status ${status}`, String(count)]),
    ],
  }),
);
console.log(problems.length === 0 ? 'All promises were kept.' : `Not kept: ${problems.join(', ')}.`);
process.exit(problems.length === 0 ? 0 : 1);

async function lane(): Promise<void> {
  while (!isOver()) {
    sent += 1;
    if (sent % Math.ceil(requests / 10) === 0)
      console.error(`  ${sent} requests, ${Math.round(memory / MIB)} MiB at most`);
    await ask(victim, { ...ordinary, path: ordinary.path.replace('add', sent % 2 === 0 ? 'add' : 'remove') });
  }
  end();
}

async function repeat(name: string, attack: (victim: Victim) => Promise<unknown>): Promise<void> {
  while (!isOver()) {
    await attack(victim);
    tried.set(name, (tried.get(name) ?? 0) + 1);
    await Promise.race([over, setTimeout(PAUSE_MS, undefined, { ref: false })]);
  }
}

async function watchMemory(): Promise<void> {
  while (!isOver()) {
    const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
    memory = Math.max(memory, Number(kib ?? 0) * 1024);
    await setTimeout(100);
  }
}
