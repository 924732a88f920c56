// All faults, in the order of the document.
import { rules as documented } from '../../../server/operations/catalog/catalog.js';
import { addressFaults } from './address-faults.js';
import { at, onlyWhen, validFirst } from './fault-changes.js';
import { operationFaults } from './operation-faults.js';
import { pushPullFaults } from './push-pull-faults.js';
import type { ServerFault } from './server-fault.js';
import { spaceFaults } from './space-faults.js';
import { groupFaults, permissionFaults } from './wiki-faults.js';

/** The fault on push alone, and on pull alone. */
function halves(fault: ServerFault): ServerFault[] {
  if (!fault.rules.every(rule => rule.startsWith('ppf.') && rule !== 'ppf.push' && rule !== 'ppf.pull')) return [];
  return ['push', 'pull'].map(place => ({
    ...fault,
    says: `${fault.says} (only on ${place})`,
    change: onlyWhen(at(place), fault.change),
  }));
}

const listed = [
  ...addressFaults,
  ...operationFaults,
  ...groupFaults,
  ...permissionFaults,
  ...spaceFaults,
  ...pushPullFaults,
].flatMap(fault => [fault, ...halves(fault)]);

/** Each fault of an effect with its twin that validates first, if it has one. */
export const faults: readonly ServerFault[] = listed.flatMap(fault =>
  fault.rules.some(rule => documented[rule]?.effect === true) ? [fault, ...validFirst(fault)] : [fault],
);
