// Attacks with many idle connections, within the agreed limit: the server must go on answering, and may refuse some.
import { setTimeout as sleep } from 'node:timers/promises';
import { Unreachable } from '../../scenario/play/target.js';
import type { Attack } from '../attack.js';
import type { Exchange, Instance } from '../instance.js';
import type { Line } from '../line.js';

const BATCH = 64;
/** Maximum time until a refused connection is known to be refused. */
const TURNED_AWAY_MS = 300;

export const idleConnections: Attack = {
  name: 'idle-connections',
  defends: 'Many connections that ask nothing do not keep others from being answered.',
  tries: 'Connections are opened, as many as --connections allows, and then one more request is made.',
  remedy: 'Lower --headers-timeout, and let a proxy in front bound the connections of one address.',
  run: async instance => {
    const first = await instance.parts.wire.open();
    const crowd = await gather(instance, 1);
    try {
      const sent = `${crowd.open.length} idle connections (${crowd.away} turned away), then GET /_fake/health`;
      const exchange = crowd.away === 0 ? await instance.ask(HEALTH) : await askOver(instance, first);
      return { trials: [{ ...instance.survived(exchange), sent }], says: stateText(crowd.open.length, exchange) };
    } finally {
      await leave([first, ...crowd.open]);
    }
  },
};

export const connectionLimit: Attack = {
  name: 'connection-limit',
  defends: 'Nobody takes connections until the machine has none left.',
  tries: 'As many connections are opened as --connections says to be too many.',
  remedy: 'Set --max-connections; where its limit is higher, give --connections more than that.',
  run: async instance => {
    const { tooMany } = instance.parts;
    if (tooMany === undefined) return { inapplicable: 'give --connections more than the limit that you expect' };
    const crowd = await gather(instance, 0);
    await leave(crowd.open);
    const seen = crowd.away === 0 ? 'all were taken' : `${crowd.away} were turned away`;
    const sent = `${crowd.open.length + crowd.away} connections at once`;
    const outcome = crowd.away === 0 ? 'taken' : 'turned away';
    return { trials: [{ sent, seen, outcome, isOpen: crowd.away === 0 }], says: `${sent}, ${seen}` };
  },
};

const HEALTH = { path: '/_fake/health' };

interface Crowd {
  readonly open: readonly Line[];
  /** Number of refused connections. */
  readonly away: number;
}

/** Opens all allowed connections except `spare`. */
async function gather({ parts: { wire } }: Instance, spare: number): Promise<Crowd> {
  const planned = wire.room - spare;
  const opened: Line[] = [];
  let refused = 0;
  for (let left = planned; left > 0; left -= BATCH) {
    const asked = Array.from({ length: Math.min(BATCH, left) }, () => wire.open());
    for (const one of await Promise.allSettled(asked)) {
      if (one.status === 'fulfilled') opened.push(one.value);
      else if (one.reason instanceof Unreachable) refused++;
      else throw one.reason;
    }
  }
  await sleep(TURNED_AWAY_MS);
  const open = opened.filter(({ isClosed }) => !isClosed);
  return { open, away: refused + opened.length - open.length };
}

async function askOver(instance: Instance, line: Line): Promise<Exchange> {
  const head = instance.head(HEALTH);
  line.write(head);
  const [answer] = await line.answered(1, instance.parts.answerTime);
  if (answer !== undefined) instance.note(head, instance.shown(head), answer);
  return { sent: instance.shown(head), isClosed: line.isClosed, ...(answer !== undefined && { answer }) };
}

function stateText(count: number, { answer }: Exchange): string {
  return `with ${count} idle connections it ${answer === undefined ? 'does not answer' : `answers ${answer.status}`}`;
}

async function leave(lines: readonly Line[]): Promise<void> {
  for (const line of lines) line.end();
  await Promise.all(lines.map(({ closed }) => closed));
}
