// Valid and invalid requests of the control API on one sandbox, generated from its actions; only the status of their responses is checked.
import { actions } from '../../../server/control/actions.js';
import { controlRequests } from '../../security/named-requests.js';
import type { Dice } from './dice.js';

const ofSandboxes = actions.filter(({ path, inSandbox }) => path.includes('{s}') || inSandbox);
const whole = ofSandboxes.filter(({ id }) => id !== 'events.read'); // its response has no end
const mutable = ofSandboxes.filter(({ inSandbox }) => !inSandbox);

/**
 * `isWhole`: it is sent unchanged; otherwise its bytes are mutated, and requests that set up worlds are left out, since they
 * could hit `default`.
 */
export function controlBytes(sandbox: string, dice: Dice, isWhole: boolean): Buffer {
  const action = dice.pick((isWhole ? whole : mutable) as [(typeof actions)[number]]); // neither is empty
  const all = controlRequests(action, sandbox).filter(({ path }) => /^\/(?:~|_fake\/v1\/sandboxes\/)/.test(path));
  const { method, path, body } = dice.pick(all as [(typeof all)[number]]); // each action has some
  const text = String(body ?? '');
  const headers =
    body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n${text}`);
}
