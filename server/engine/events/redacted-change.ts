// Changes of a sandbox with their secrets hidden.
import { isObject } from '../../domain/form/patch.js';
import type { Fault } from '../faults/fault.js';
import type { Stub } from '../faults/stub.js';
import { redactStrings } from '../journal/redacted-state.js';
import type { Change } from '../sandbox/state.js';
import { HIDDEN, isSecretField, redactBody, redactHeader, redactValue } from '../secrets.js';

/** A change for event readers. */
export function redactChange(change: Change): Change {
  if (change.type === 'faults-set')
    return { ...change, faults: change.faults.map(armed => ({ ...armed, given: redactFault(armed.given) })) };
  if (change.type === 'stubs-set')
    return { ...change, stubs: change.stubs.map(armed => ({ ...armed, given: redactResponse(armed.given) })) };
  const shown = redactStrings(change) as Change; // it has the same fields
  if (shown.type !== 'world-patched' || !isObject(shown.patch.users)) return shown;
  const users = Object.entries(shown.patch.users).map(([name, user]) => [name, redactUser(user)] as const);
  return { ...shown, patch: { ...shown.patch, users: Object.fromEntries(users) } };
}

function redactUser(user: unknown): unknown {
  if (!isObject(user)) return user;
  const fields = Object.entries(user).map(([name, value]) => [
    name,
    value !== null && isSecretField(name) ? HIDDEN : value,
  ]);
  return Object.fromEntries(fields);
}

/** A fault for display. Status and connection contain no secrets. */
function redactFault<F extends Fault>(fault: F): F {
  return { ...fault, effect: redactResponse(fault.effect) };
}

function redactResponse<A extends Pick<Stub, 'headers' | 'body'>>(given: A): A {
  const { headers, body } = given;
  if (headers === undefined && body === undefined) return given;
  const shown = Object.entries(headers ?? {}).map(([name, value]) => [name, redactHeader(name, value)] as const);
  return {
    ...given,
    ...(headers !== undefined && { headers: Object.fromEntries(shown) }),
    ...(body !== undefined && { body: typeof body === 'string' ? redactBody(body) : redactValue(body) }),
  };
}
