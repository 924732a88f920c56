// Faults and stubs as sentences, and whether they can fire again.
import type { ArmedFault, ArmedStub } from '../client/wire.js';

/** `503 with Retry-After: 2 · every second request of groups.add-users`. */
export function faultText(fault: ArmedFault): string {
  const { operation, method, path } = fault;
  const where = [operation, [method, path].filter(part => part !== undefined).join(' ')].filter(Boolean).join(' at ');
  return `${effectText(fault)} · ${whichText(fault)} ${where || 'any operation'}${limitText(fault)}`;
}

/** `Respond 200 · every request to GET /rest/webhooks/1.0`. */
export function stubText(stub: ArmedStub): string {
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

function effectText({ effect, phase }: ArmedFault): string {
  const { delay, status, retryAfter, rateLimit, hold, headers, body, hangUp, truncateAt, garble, dribble, partial } =
    effect;
  const parts = [
    ...(delay === undefined ? [] : [`wait ${delayText(delay)}`]),
    ...(hold === undefined ? [] : [`hold the response until ${hold} is released`]),
    ...(rateLimit === undefined ? [] : [`allow ${rateLimit.limit} requests of each caller in ${rateLimit.window} s`]),
    ...(status === undefined && retryAfter === undefined ? [] : [`respond ${status ?? 503}`]),
    ...(retryAfter === undefined ? [] : [`Retry-After: ${retryAfter}`]),
    ...(headers === undefined ? [] : [`change ${Object.keys(headers).join(', ')}`]),
    ...(body === undefined ? [] : ['replace the body']),
    ...(hangUp ? ['close the connection'] : []),
    ...(truncateAt === undefined ? [] : [`cut the response after ${truncateAt} bytes`]),
    ...(garble ? ['garble the JSON'] : []),
    ...(dribble === undefined ? [] : [`send ${dribble.bytes} bytes every ${dribble.every} ms`]),
    ...(partial === undefined ? [] : [`apply only ${partial.succeed} items`]),
  ];
  const text = parts.join(', ');
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
