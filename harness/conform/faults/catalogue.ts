// All faults, in the order of the document.
import { rules as documented, operations } from '../../../server/operations/catalog/catalog.js';
import { addressFaults } from './address-faults.js';
import { breaking, lacks, validFirst } from './fault-changes.js';
import { groupFaults } from './group-faults.js';
import { permissionFaults } from './permission-faults.js';
import { pushPullFaults } from './push-pull-faults.js';
import type { ServerFault } from './server-fault.js';
import { spaceFaults } from './space-faults.js';

/** An operation that is not served at all. */
const missing = operations.flatMap(({ id, path, method, heading, summary, rules: own }) => {
  const rule = id in own ? id : (Object.keys(own).find(one => documented[one]?.effect === true) ?? id);
  const methods = heading?.gap === 'heading-methods' ? [method, heading.method] : [method];
  const place = path.slice(1).replace('/{pageId}', '');
  return breaking(rule, {
    [`${id.replace('.', '-')}-missing: refuses every request to ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`]:
      lacks(asked => asked.place === place && (methods as readonly string[]).includes(asked.method)),
  });
});

const listed = [...addressFaults, ...missing, ...groupFaults, ...permissionFaults, ...spaceFaults, ...pushPullFaults];

/** Each fault of an effect with its twin that validates first, if it has one. */
export const faults: readonly ServerFault[] = listed.flatMap(fault =>
  fault.rules.some(rule => documented[rule]?.effect === true) ? [fault, ...validFirst(fault)] : [fault],
);
