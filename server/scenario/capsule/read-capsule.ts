// The text of a capsule as one that can be played, or as all that is wrong with it. Performs nothing.
import { emptyWorld } from '../../domain/world.js';
import { checkReadings } from '../../engine/readings.js';
import { misfits } from '../../engine/validate.js';
import { defaultReadings, layReadings } from '../../operations/gaps.js';
import { isProblems } from '../problem.js';
import { patchProblems } from '../world-patch.js';
import { type Capsule, capsuleSchema } from './capsule-format.js';
import { shippedWorld } from './shipped-world.js';

export type ReadCapsule = { readonly capsule: Capsule } | { readonly mistakes: readonly string[] };

export function readCapsule(text: string): ReadCapsule {
  const parsed = parse(text);
  if ('problem' in parsed) return { mistakes: [`It is no JSON: ${parsed.problem}.`] };
  const wrong = misfits(capsuleSchema, parsed.value);
  if (wrong.length > 0)
    return {
      mistakes: wrong.map(({ pointer, problem, found }) => `${pointer} ${problem}, and it is ${found}.`.trim()),
    };
  const capsule = parsed.value as Capsule; // as its schema says; the rest is checked below
  const chosen = checkReadings(Object.entries(capsule.readings));
  const mistakes = [
    ...worldMistakes(capsule),
    ...('problem' in chosen ? [chosen.problem] : []),
    ...entryMistakes(capsule),
  ];
  if (mistakes.length > 0 || 'problem' in chosen) return { mistakes };
  return { capsule: { ...capsule, readings: layReadings(defaultReadings, chosen.readings) } };
}

function worldMistakes({ world }: Capsule): string[] {
  if ('form' in world)
    return patchProblems(emptyWorld, world.form).map(({ pointer, message }) => `/world/form${pointer} ${message}`);
  const shipped = shippedWorld(world.shipped);
  return isProblems(shipped) ? shipped.problems.map(({ message }) => `/world/shipped: ${message}`) : [];
}

function entryMistakes({ entries }: Capsule): string[] {
  return entries.flatMap(({ request: { body, unread }, between }, i) => {
    const parsed = body === undefined || unread !== undefined ? {} : parse(body);
    const chosen = checkReadings(Object.entries(between?.readings ?? {}));
    return [
      ...('problem' in parsed ? [`/entries/${i}/request/body is no JSON: ${parsed.problem}.`] : []),
      ...('problem' in chosen ? [`/entries/${i}/between/readings: ${chosen.problem}`] : []),
    ];
  });
}

function parse(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: (error as SyntaxError).message }; // nothing else is thrown there
  }
}
