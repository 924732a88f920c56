// The API family of a step.
import { anyOperationOf } from '../../server/operations/catalog/catalog.js';
import type { Family, ResourceFamily } from '../../server/operations/operation.js';
import type { Step } from '../../server/scenario/format/step-format.js';

/** The API family that a step calls; `undefined` if it sends no request. */
export function familyOf({ call, request }: Step): Family | undefined {
  if (call !== undefined) return halfOf(anyOperationOf(call)?.family);
  if (request === undefined) return undefined;
  return /cwx-ppf|\/(push|pull)\b/i.test(request.path) ? 'ppf' : 'wiki'; // what is asked for nowhere is asked of the wiki
}

/** The REST API of a product belongs to the family of its add-on. */
function halfOf(family: Family | ResourceFamily | undefined): Family | undefined {
  if (family === 'confluence') return 'wiki';
  return family === 'jira' || family === 'jira-auth' ? 'ppf' : family;
}
