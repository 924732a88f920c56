// Which of the two interfaces a step is about. Knows no server.
import { anyOperationOf } from '../../operations/catalog.js';
import type { Family, HostFamily } from '../../operations/operation.js';
import type { Step } from '../../scenario/format/step-format.js';

/** Which of the two interfaces a step asks; `undefined` where it asks nothing. */
export function familyOf({ call, request }: Step): Family | undefined {
  if (call !== undefined) return halfOf(anyOperationOf(call)?.family);
  if (request === undefined) return undefined;
  return /cwx-ppf|\/(push|pull)\b/i.test(request.path) ? 'ppf' : 'wiki'; // what is asked for nowhere is asked of the wiki
}

/** A host belongs to the interface that is its add-on. */
function halfOf(family: Family | HostFamily | undefined): Family | undefined {
  if (family === 'wiki-host') return 'wiki';
  return family === 'tracker-host' || family === 'tracker-auth' ? 'ppf' : family;
}
