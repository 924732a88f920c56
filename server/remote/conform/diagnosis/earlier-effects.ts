// Whether a step can have failed because of what came, or did not come, of the steps before it. Asks no server.
import { isObject } from '../../../domain/form/patch.js';
import { rules as allRules, operationOf } from '../../../operations/catalog.js';
import { bodyOf } from '../../../scenario/play/judging.js';
import type { Comparison, Deviation } from './comparison.js';
import { isBeyondAscii, parameterRules, parameters } from './suspects.js';

/** Whether an answer can be what it is because of what was done before, or was not. */
export function canBeOfState(step: Comparison, deviation: Deviation): boolean {
  const { due, operation, family, played } = step;
  if (operation === '') return false;
  if (deviation === 'effect') return true;
  if (due >= 400) return deviation === 'accepted' && (due === 409 || due === 404);
  if (family === 'ppf')
    return (
      deviation === 'content' && played.differences.some(({ pointer }) => pointer === '/success') && isPlain(played)
    );
  return (
    ['content', 'conflict', 'unserved'].includes(deviation) || (deviation === 'refused' && step.isStateRefused === true)
  );
}

/** Whether push or pull say the same twice: who says that all went well has nothing to report. An answer that does not is wrong in whatever world. */
function isPlain({ received }: Comparison['played']): boolean {
  const body = received && bodyOf(received);
  return isObject(body) && Array.isArray(body.messages) && body.success === (body.messages.length === 0);
}

/** These are about a part of an effect. */
const markingToo: ReadonlySet<string> = new Set([
  'groups.body',
  'permissions.body',
  'permissions.heading-method',
  'permissions.groups-field',
  'spaces.replace-list',
]);

/** Whether what a rule asks for is seen later. */
function leavesItsMark(rule: string): boolean {
  return markingToo.has(rule) || allRules[rule]?.effect === true;
}

const known = new WeakMap<Comparison, readonly string[]>();

/** The rules of a step whose keeping is seen later. */
export function marksOf(step: Comparison): readonly string[] {
  const found = known.get(step) ?? marksIn(step);
  known.set(step, found);
  return found;
}

function marksIn(step: Comparison): readonly string[] {
  const marks = [...new Set([...step.rules.filter(leavesItsMark), ...parameterRules(step), ...effectRules(step)])];
  return isBeyondAscii(step) ? [...new Set([...marks, 'address.json-bodies'])] : marks;
}

/** The rules about the effect of an operation, even where there is nothing to change, be that refused or not: another server may find something. */
function effectRules({ operation, due }: Comparison): readonly string[] {
  if (due >= 400 && due !== 409) return [];
  const own = Object.entries(operationOf(operation)?.rules ?? {});
  return own.flatMap(([rule, { effect }]) => (effect === true && parameters[rule] === undefined ? [rule] : []));
}

/** Whether an operation changes what later steps see. */
export function isChanging(operation: string): boolean {
  return Object.values(operationOf(operation)?.rules ?? {}).some(({ effect }) => effect === true);
}

/**
 * Whether an operation can show in this way what a rule changes: push and pull also show who is in a group. That a page is not found, no permission explains.
 */
export function isSameState(rule: string, operation: string, deviation: Deviation): boolean {
  if (deviation === 'unserved' && operation.startsWith('permissions.')) return false;
  const [changed] = rule.split('.');
  const [asked] = operation.split('.');
  return changed === asked || changed === 'address' || (changed === 'groups' && asked === 'ppf');
}
