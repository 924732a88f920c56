// Reads the text of a capsule, or reports all its errors.
import { nestingProblem } from '../../engine/request/nesting.js';
import { checkReadings } from '../../engine/request/readings.js';
import { schemaErrors } from '../../engine/request/validate.js';
import { defaultReadings, layReadings } from '../../operations/gaps/gaps.js';
import { isProblems, pointerOf } from '../yaml/problem.js';
import { type Capsule, capsuleSchema } from './capsule-format.js';
import { grownWorld } from './grown-world.js';
import { shippedWorld } from './shipped-world.js';

export type ReadCapsule = { readonly capsule: Capsule } | { readonly errors: readonly string[] };

export function readCapsule(text: string): ReadCapsule {
  const parsed = parse(text);
  if ('problem' in parsed)
    return { errors: [`Invalid JSON: ${isCutShort(text, parsed.problem) ? CUT_SHORT : parsed.problem}.`] };
  const tooDeep = nestingProblem(text); // its bodies are strings, and may be as deep as they were sent
  if (tooDeep !== undefined) return { errors: [`${tooDeep}.`] };
  const wrong = schemaErrors(capsuleSchema, parsed.value);
  if (wrong.length > 0)
    return {
      errors: wrong.map(({ pointer, problem, found }) => `${pointer} ${problem}, and it is ${found}.`.trim()),
    };
  const capsule = parsed.value as Capsule; // checked by the schema; the rest is checked below
  const chosen = checkReadings(Object.entries(capsule.readings));
  const errors = [...worldErrors(capsule), ...('problem' in chosen ? [chosen.problem] : []), ...entryErrors(capsule)];
  if (errors.length > 0 || 'problem' in chosen) return { errors };
  return { capsule: { ...capsule, readings: layReadings(defaultReadings, chosen.readings) } };
}

const CUT_SHORT = 'the file is cut off';

/** Whether a text is the beginning of valid JSON. */
function isCutShort(text: string, problem: string): boolean {
  const position = /at position (\d+)/.exec(problem)?.[1];
  const isAtEnd = position !== undefined && Number(position) >= text.trimEnd().length;
  return isAtEnd || /end of JSON input|^Unterminated/.test(problem);
}

function worldErrors({ world }: Capsule): string[] {
  if ('form' in world)
    return grownWorld(world.form).errors.map(({ path, message }) => `/world/form${pointerOf(path)} ${message}`);
  const shipped = shippedWorld(world.shipped);
  return isProblems(shipped) ? shipped.problems.map(({ message }) => `/world/shipped: ${message}`) : [];
}

function entryErrors({ entries }: Capsule): string[] {
  return entries.flatMap(({ request: { body, unread }, between }, i) => {
    const parsed = body === undefined || unread !== undefined ? {} : parse(body);
    const chosen = checkReadings(Object.entries(between?.readings ?? {}));
    return [
      ...('problem' in parsed ? [`/entries/${i}/request/body is not JSON: ${parsed.problem}.`] : []),
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
