// Which of the two interfaces a step is about. Knows no server.
import { operationOf } from '../operations/catalog.js';
import type { Family } from '../operations/operation.js';
import type { Step } from '../scenario/format/step-format.js';

/** Which of the two interfaces a step asks; `undefined` where it asks nothing. */
export function familyOf({ call, request }: Step): Family | undefined {
  if (call !== undefined) return operationOf(call)?.family;
  if (request === undefined) return undefined;
  return /cwx-ppf|\/(push|pull)\b/i.test(request.path) ? 'ppf' : 'wiki'; // what is asked for nowhere is asked of the wiki
}
