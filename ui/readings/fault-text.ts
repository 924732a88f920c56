// Faults and stubs as sentences, and whether they can fire again.
import type { ArmedFault, ArmedStub, Json } from '../client/wire.js';

export const armedText = (armed: ArmedFault | ArmedStub) => ('effect' in armed ? faultText(armed) : stubText(armed));

/** `Status 503, retry after 2 · every second request to groups.add-users`. */
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

/** `Status 503, rate limit (limit 5, window 60)`: by the names of the form, so that a new action needs no text here. */
function effectText({ effect, phase }: ArmedFault): string {
  const text = Object.entries(effect).map(actionText).join(', ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${phase === 'after' ? ', after applying the request' : ''}`;
}

/** Bodies and the values of headers are not shown: they may be secrets, and long. */
function actionText([name, value]: readonly [string, Json]): string {
  const words = name.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
  if (value === true || name === 'body') return words;
  if (Array.isArray(value)) return `${words} ${value.join(' to ')}`;
  if (typeof value !== 'object' || value === null) return `${words} ${value}`;
  if (name === 'headers') return `${words} ${Object.keys(value).join(', ')}`;
  return `${words} (${Object.entries(value)
    .map(([part, each]) => `${part} ${each}`)
    .join(', ')})`;
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
