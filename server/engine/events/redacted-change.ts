// Changes of a sandbox with their secrets hidden.
import { isObject } from '../../domain/form/patch.js';
import type { Fault } from '../faults/fault.js';
import type { Change } from '../sandbox/state.js';
import { HIDDEN, isSecretField, redactBody, redactHeader, redactStrings, redactValue } from '../secrets.js';

/** A change for event readers. */
export function redactChange(change: Change): Change {
  if (change.type === 'faults-set')
    return { ...change, faults: change.faults.map(armed => ({ ...armed, fault: redactFault(armed.fault) })) };
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
  const { headers, body } = fault.effect;
  if (headers === undefined && body === undefined) return fault;
  const shown = Object.entries(headers ?? {}).map(([name, value]) => [name, redactHeader(name, value)] as const);
  const effect = {
    ...fault.effect,
    ...(headers !== undefined && { headers: Object.fromEntries(shown) }),
    ...(body !== undefined && { body: typeof body === 'string' ? redactBody(body) : redactValue(body) }),
  };
  return { ...fault, effect };
}
