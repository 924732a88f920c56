// All faults: those that operations have alike, made from their paths, methods and bodies, and those of each section of the document.
import { rules as documented, operations } from '../../../server/operations/catalog/catalog.js';
import { addressFaults } from './address-faults.js';
import {
  at,
  both,
  breaking,
  doesNothing,
  hasSeveral,
  lacks,
  onlyWhen,
  readsFields,
  readsLists,
  refuses,
  type When,
} from './fault-changes.js';
import { pushPullFaults } from './push-pull-faults.js';
import type { Change, ServerFault } from './server-fault.js';
import { spaceFaults } from './space-faults.js';
import { groupFaults, permissionFaults } from './wiki-faults.js';

const LISTS = ['users', 'groups', 'filters', 'dashboards'];

/** One operation, or several that may have a fault in common. */
interface Scope {
  readonly rules: readonly string[];
  /** The requests, in words. */
  readonly where: string;
  readonly lists: readonly string[];
  readonly when: When;
}

/** Each operation, with the rule that says what it does. */
const single = operations.map((operation): Scope => {
  const { id, path, method, heading, summary, rules: own } = operation;
  const rule = id in own ? id : (Object.keys(own).find(one => documented[one]?.effect === true) ?? id);
  const methods: readonly string[] = heading?.gap === 'heading-methods' ? [method, heading.method] : [method];
  const body = JSON.stringify('body' in operation ? operation.body : {});
  return {
    rules: [rule],
    where: `requests to ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`,
    lists: LISTS.filter(list => body.includes(`"${list}":`)),
    when: both(at(path.slice(1).replace('/{pageId}', '')), asked => methods.includes(asked.method)),
  };
});

const groups = { rules: ['groups.body'], where: 'group requests', lists: ['users'], when: at('groups/') } as const;
const pages = {
  rules: ['permissions.body'],
  where: 'page permissions',
  lists: ['users', 'groups'],
  when: at('permissions/'),
} as const;
const pushPull = { rules: ['ppf.push', 'ppf.pull'], where: 'push and pull', lists: LISTS, when: at('push', 'pull') };

/** A server that only records requests looks the same. */
export const pushesNothing = doesNothing(at('push'));

/** Reads the list as empty, and no field of its singular name. */
function ignoresList(when: When, list: string): Change {
  return readsFields(when, fields => ({
    ...fields,
    ...(list in fields && { [list]: [] }),
    [list.slice(0, -1)]: undefined,
  }));
}

/** What becomes of the lists of a body. */
function listFaults({ rules, where, lists, when }: Scope): ServerFault[] {
  return breaking(rules, {
    [`uses only the first element of each list in ${where}`]: readsLists(when, lists, list => list.slice(0, 1)),
    [`leaves out the last element of each list in ${where}`]: readsLists(when, lists, list =>
      list.length > 1 ? list.slice(0, -1) : list,
    ),
    ...Object.fromEntries(lists.map(list => [`ignores ${list} in ${where}`, ignoresList(when, list)])),
  });
}

export const operationFaults: readonly ServerFault[] = [
  ...single.flatMap(scope =>
    breaking(scope.rules, {
      [`refuses all ${scope.where}`]: lacks(scope.when),
      [`reports success without carrying out ${scope.where}`]: scope.rules.includes('ppf.push')
        ? pushesNothing
        : doesNothing(scope.when),
    }),
  ),
  ...breaking(pushPull.rules, { 'reports success without pushing or pulling': doesNothing(pushPull.when) }),
  ...[...single, groups, pages, pushPull].flatMap(scope => (scope.lists.length === 0 ? [] : listFaults(scope))),
  ...[groups, pages].flatMap(({ rules, where, lists, when }) =>
    breaking(rules, {
      [`refuses ${where} for more than one user or group`]: refuses(both(when, hasSeveral(...lists))),
    }),
  ),
];

/** The fault on push alone, and on pull alone. */
function halves(fault: ServerFault): ServerFault[] {
  if (!fault.rules.every(rule => rule.startsWith('ppf.') && rule !== 'ppf.push' && rule !== 'ppf.pull')) return [];
  return ['push', 'pull'].map(place => ({
    ...fault,
    says: `${fault.says} (only on ${place})`,
    change: onlyWhen(at(place), fault.change),
  }));
}

export const faults: readonly ServerFault[] = [
  ...addressFaults,
  ...operationFaults,
  ...groupFaults,
  ...permissionFaults,
  ...spaceFaults,
  ...pushPullFaults,
].flatMap(fault => [fault, ...halves(fault)]);
