// Asks a question that a rule is to be contradicted by some more times: a server that answers it now so and now otherwise breaks no rule but fails at
// random. Changes nothing there.
import type { Received, Target } from '../../../scenario/play/target.js';
import type { Comparison } from './comparison.js';
import type { Diagnosis } from './diagnosis.js';

/** How often each is asked again. */
const TIMES = 8;
/** Maximum number of questions that are asked again. */
const MOST = 2;

/** Two different answers to one of the questions, in a sentence. */
export async function variation({ broken }: Diagnosis, target: Target): Promise<string | undefined> {
  const questions = [...broken.values()].flat().filter(isQuestion);
  for (const { played } of questions.slice(0, MOST)) {
    const { sent } = played;
    if (sent === undefined) continue;
    const answers = await Promise.allSettled(Array.from({ length: TIMES }, () => target.send(sent)));
    const kinds = new Set(answers.flatMap(one => (one.status === 'fulfilled' ? [kindOf(one.value)] : [])));
    if (kinds.size > 1)
      return `${sent.method} ${sent.path} had ${kinds.size} different answers when it was asked ${TIMES} times`;
  }
  return undefined;
}

function kindOf({ status, text }: Received): string {
  return `${status} ${text}`;
}

/** Two calls in a row get the same answer, whatever the world is. */
function isQuestion({ operation }: Comparison): boolean {
  return operation === 'spaces.is-unique';
}
