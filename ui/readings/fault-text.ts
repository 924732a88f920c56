// Faults and stubs as sentences, and whether they can fire again.
import type { ArmedFault, ArmedStub } from '../client/wire.js';

export const armedText = (armed: ArmedFault | ArmedStub) => ('effect' in armed ? faultText(armed) : stubText(armed));

/** `503 with Retry-After: 2 · every second request of groups.add-users`. */
export function faultText(fault: ArmedFault): string {
  const { operation, method, path } = fault;
  const where = [operation, [method, path].filter(part => part !== undefined).join(' ')].filter(Boolean).join(' at ');
  return `${effectText(fault)} · ${whichText(fault)} ${where || 'any operation'}${limitText(fault)}`;
}

/** `Respond 200 · every request to GET /rest/webhooks/1.0`. */
function stubText(stub: ArmedStub): string {
  const { method, path, status = 200, delay } = stub;
  const where = method === undefined ? path : `${method} ${path}`;
  const wait = delay === undefined ? '' : `Wait ${delayText(delay)}, respond`;
  return `${wait || 'Respond'} ${status} · ${whichText(stub)} ${where}${limitText(stub)}`;
}

function limitText({ caller, match, until }: ArmedFault | ArmedStub): string {
  const parts = match === undefined ? '' : ` with this ${Object.keys(match).join(' and ')}`;
  return `${parts}${caller === undefined ? '' : ` by ${caller}`}${until === undefined ? '' : `, until ${until}`}`;
}

function delayText(delay: NonNullable<ArmedStub['delay']>): string {
  return `${typeof delay === 'number' ? delay : delay.join(' to ')} ms`;
}

type Effect = ArmedFault['effect'];

/** What each part of an effect does. */
const partTexts: {
  readonly [Part in keyof Required<Effect>]: (value: NonNullable<Effect[Part]>, effect: Effect) => string;
} = {
  delay: delay => `wait ${delayText(delay)}`,
  hold: name => `hold the response until ${name} is released`,
  rateLimit: ({ limit, window }) => `allow ${limit} requests of each caller in ${window} s`,
  status: status => `respond ${status}`,
  retryAfter: (seconds, { status }) => `${status === undefined ? 'respond 503, ' : ''}Retry-After: ${seconds}`,
  headers: headers => `change ${Object.keys(headers).join(', ')}`,
  body: () => 'replace the body',
  hangUp: () => 'close the connection',
  truncateAt: bytes => `cut the response after ${bytes} bytes`,
  garble: () => 'garble the JSON',
  dribble: ({ bytes, every }) => `send ${bytes} bytes every ${every} ms`,
  partial: ({ succeed }) => `apply only ${succeed} items`,
};

function effectText({ effect, phase }: ArmedFault): string {
  const parts = Object.entries(partTexts) as Array<[keyof Effect, (value: unknown, effect: Effect) => string]>; // each with its own value
  const text = parts
    .flatMap(([part, say]) => (effect[part] === undefined ? [] : [say(effect[part], effect)]))
    .join(', ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${phase === 'after' ? ', after applying the request' : ''}`;
}

function whichText({ when, times }: ArmedFault | ArmedStub): string {
  const most = times === undefined ? '' : times === 1 ? ', once' : `, at most ${times} times`;
  if (when === undefined) return times === 1 ? 'the next request to' : `every request${most} to`;
  if ('nth' in when) return `request ${when.nth}${most} to`;
  if ('every' in when) return `every ${when.every === 2 ? 'second' : `${when.every}th`} request${most} to`;
  if ('first' in when) return `the first ${when.first} requests${most} to`;
  return `${Math.round(when.chance * 100)} % of the requests${most} to`;
}

/** `now`: the sandbox's time. */
export function isUsedUp({ when, times, until, matched, fired }: ArmedFault | ArmedStub, now: string): boolean {
  if (times !== undefined && fired >= times) return true;
  if (until !== undefined && now !== '' && Date.parse(now) > Date.parse(until)) return true;
  if (when === undefined) return false;
  return ('nth' in when && matched >= when.nth) || ('first' in when && matched >= when.first);
}
