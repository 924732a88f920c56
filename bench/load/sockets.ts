// The load where wrk is absent, or where several servers are asked: keep-alive connections on plain sockets, in a process of its own.
// Knows nothing of the server but that every response has a Content-Length, comes in chunks, or has no body.
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

const [urls = '', file = '', authorization = '', connections = '', seconds = ''] = process.argv.slice(2);
const targets = urls.split(',').map(url => new URL(url));
const requests = readFileSync(file, 'utf8').trimEnd().split('\n').map(formatted);
const began = performance.now();
const deadline = began + Number(seconds) * 1000;
const latencies: number[] = [];
let sent = 0;
let answered = 0;
let errors = 0;

function formatted(line: string): Buffer {
  const [method, path, body = ''] = line.split('\t');
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${targets[0]?.host}`, // which any server on loopback answers to
    'Content-Type: application/json',
    `Authorization: ${authorization}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function drive(socket: Socket): void {
  let since = 0;
  let received = '';
  const next = () => {
    const request = requests[sent % requests.length];
    if (request === undefined || performance.now() >= deadline) return socket.destroy();
    sent += 1;
    since = performance.now();
    socket.write(request);
  };
  socket.on('connect', next);
  socket.on('data', chunk => {
    received += chunk.toString('latin1');
    if (!isWhole(received)) return;
    if (!received.startsWith('HTTP/1.1 2')) errors += 1;
    received = '';
    answered += 1;
    latencies.push(performance.now() - since);
    next();
  });
  socket.on('error', () => {
    errors += 1;
  });
}

/** Whether a whole response has come: there is one request at a time on each connection, so nothing follows it. */
function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const head = text.slice(0, end);
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return text.endsWith('\r\n0\r\n\r\n');
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  return text.length >= end + 4 + Number(length ?? 0);
}

function tally(): string {
  const sorted = latencies.sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  const elapsed = (performance.now() - began) / 1000;
  return JSON.stringify({
    requests: answered,
    seconds: elapsed,
    errors,
    p50: at(0.5),
    p99: at(0.99),
  });
}

for (let i = 0; i < Number(connections); i += 1) {
  const { port, hostname } = targets[i % targets.length] as URL; // there is one at least
  drive(connect(Number(port), hostname));
}
process.once('beforeExit', () => process.stdout.write(`\n${tally()}\n`));
