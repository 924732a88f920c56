// An armed fault as a sentence, and whether it can fire again.
import type { ArmedFault } from '../client/wire.js';

/** `503 with Retry-After: 2 · every second request of groups.add-users`. */
export function faultText(fault: ArmedFault): string {
  const { operation, path, caller, until } = fault;
  const where = [operation, path].filter(part => part !== undefined).join(' at ');
  const by = caller === undefined ? '' : ` by ${caller}`;
  const end = until === undefined ? '' : `, until ${until}`;
  return `${effectText(fault)} · ${whichText(fault)} ${where}${by}${end}`;
}

function effectText({ effect, phase }: ArmedFault): string {
  const { delay, status, retryAfter, rateLimit, hold, headers, body, hangUp, truncateAt, garble, dribble, partial } =
    effect;
  const parts = [
    ...(delay === undefined ? [] : [`wait ${typeof delay === 'number' ? delay : delay.join(' to ')} ms`]),
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

function whichText({ when, times }: ArmedFault): string {
  const most = times === undefined ? '' : times === 1 ? ', once' : `, at most ${times} times`;
  if (when === undefined) return times === 1 ? 'the next request to' : `every request${most} to`;
  if ('nth' in when) return `request ${when.nth}${most} to`;
  if ('every' in when) return `every ${when.every === 2 ? 'second' : `${when.every}th`} request${most} to`;
  if ('first' in when) return `the first ${when.first} requests${most} to`;
  return `${Math.round(when.chance * 100)} % of the requests${most} to`;
}

/** `now`: the sandbox's time. */
export function isSpent({ when, times, until, met, fired }: ArmedFault, now: string): boolean {
  if (times !== undefined && fired >= times) return true;
  if (until !== undefined && now !== '' && Date.parse(now) > Date.parse(until)) return true;
  if (when === undefined) return false;
  return ('nth' in when && met >= when.nth) || ('first' in when && met >= when.first);
}
