// The API family of a step.
import { anyOperationOf } from '../../server/operations/catalog.js';
import type { Family, HostFamily } from '../../server/operations/operation.js';
import type { Step } from '../../server/scenario/format/step-format.js';

/** The API family that a step calls; `undefined` if it sends no request. */
export function familyOf({ call, request }: Step): Family | undefined {
  if (call !== undefined) return halfOf(anyOperationOf(call)?.family);
  if (request === undefined) return undefined;
  return /cwx-ppf|\/(push|pull)\b/i.test(request.path) ? 'ppf' : 'wiki'; // what is asked for nowhere is asked of the wiki
}

/** A host belongs to the family of its add-on. */
function halfOf(family: Family | HostFamily | undefined): Family | undefined {
  if (family === 'wiki-host') return 'wiki';
  return family === 'tracker-host' || family === 'tracker-auth' ? 'ppf' : family;
}
