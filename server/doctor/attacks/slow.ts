// Attacks with slow connections: the server must close each within the patience.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attack.js';
import type { Instance } from '../instance.js';
import type { Line } from '../line.js';
import type { Finding } from '../trial.js';

/** Interval of sending, and minimum number within the patience. */
const PIECES = 8;
const MAX_PAUSE_MS = 500;

export const slowHeaders: Attack = {
  name: 'slow-headers',
  defends: 'Connections are not held for ever by headers that come one by one (slowloris).',
  tries: 'A header is sent every now and then, and never the last.',
  remedy: 'Leave --headers-timeout and --request-timeout as they are, or wait for longer with --patience.',
  waits: true,
  run: instance =>
    dribble(instance, `GET /_fake/health HTTP/1.1\r\nHost: ${instance.host}\r\n`, i => `X-Doctor-${i}: slow\r\n`),
};

export const slowBody: Attack = {
  name: 'slow-body',
  defends: 'Connections are not held for ever by bodies that come byte by byte.',
  tries: 'A body is sent a byte every now and then, and never the last.',
  remedy: 'Leave --request-timeout as it is, or wait for longer with --patience.',
  waits: true,
  run: instance => {
    const head = instance.head({
      method: 'POST',
      path: '/_fake/health',
      headers: [
        ['Content-Type', 'application/json'],
        ['Content-Length', '100000'],
      ],
    });
    return dribble(instance, `${head}[`, () => ' ');
  },
};

export const silentConnection: Attack = {
  name: 'silent-connection',
  defends: 'Connections are not held for ever by those who open them and say nothing.',
  tries: 'A connection is opened, and nothing is sent.',
  remedy: 'Leave --headers-timeout and --request-timeout as they are, or wait for longer with --patience.',
  waits: true,
  run: instance => dribble(instance, '', () => ''),
};

async function dribble(instance: Instance, start: string, piece: (i: number) => string): Promise<Finding> {
  const { patience, wire } = instance.parts;
  const line = await wire.open();
  const sent = start === '' ? 'nothing' : `${instance.shown(start)}${instance.shown(piece(1))}…`;
  const begun = performance.now();
  line.write(start);
  const isClosed = await drip(line, piece, patience);
  const took = ((performance.now() - begun) / 1000).toFixed(1);
  const [answer] = line.answers;
  line.end();
  if (answer !== undefined) instance.note(start, sent, answer);
  const said = answer === undefined ? 'no answer' : instance.shownAnswer(answer);
  const seen = isClosed ? `closed after ${took} s, ${said}` : `not closed within ${patience / 1000} s`;
  const outcome = isClosed ? 'closed' : 'not closed';
  return {
    trials: [{ sent, seen, outcome, isOpen: !isClosed }],
    says: isClosed ? `closed after ${took} s${answer === undefined ? '' : ` (${answer.status})`}` : seen,
  };
}

/** Whether the server closes the connection in time. */
async function drip(line: Line, piece: (i: number) => string, patience: number): Promise<boolean> {
  const pause = Math.min(MAX_PAUSE_MS, patience / PIECES);
  const end = performance.now() + patience;
  for (let i = 1; performance.now() < end; i++) {
    const wait = Math.min(pause, end - performance.now());
    await Promise.race([line.closed, sleep(wait)]);
    if (line.isClosed) return true;
    const next = piece(i);
    if (next !== '') line.write(next);
  }
  return line.closes(0);
}
