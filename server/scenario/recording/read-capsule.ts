// The text of a capsule as one that can be played, or as all that is wrong with it. Performs nothing.
import { nestingProblem } from '../../engine/request/nesting.js';
import { checkReadings } from '../../engine/request/readings.js';
import { misfits } from '../../engine/request/validate.js';
import { defaultReadings, layReadings } from '../../operations/gaps/gaps.js';
import { isProblems, pointerOf } from '../yaml/problem.js';
import { type Capsule, capsuleSchema } from './capsule-format.js';
import { grownWorld } from './grown-world.js';
import { shippedWorld } from './shipped-world.js';

export type ReadCapsule = { readonly capsule: Capsule } | { readonly mistakes: readonly string[] };

export function readCapsule(text: string): ReadCapsule {
  const parsed = parse(text);
  if ('problem' in parsed)
    return { mistakes: [`It is no JSON: ${isCutShort(text, parsed.problem) ? CUT_SHORT : parsed.problem}.`] };
  const tooDeep = nestingProblem(text); // the bodies in it are texts, and may be as deep as they were sent
  if (tooDeep !== undefined) return { mistakes: [`${tooDeep}.`] };
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

const CUT_SHORT = 'it ends in the middle, so it was not written or fetched to its end';

/** Whether a text is JSON as far as it goes. */
function isCutShort(text: string, problem: string): boolean {
  const position = /at position (\d+)/.exec(problem)?.[1];
  const isAtEnd = position !== undefined && Number(position) >= text.trimEnd().length;
  return isAtEnd || /end of JSON input|^Unterminated/.test(problem);
}

function worldMistakes({ world }: Capsule): string[] {
  if ('form' in world)
    return grownWorld(world.form).flaws.map(({ path, message }) => `/world/form${pointerOf(path)} ${message}`);
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
