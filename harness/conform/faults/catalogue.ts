// All faults: those that operations have alike, made from their paths, methods and bodies, and those of each section of the document.
import { rules as documented, operations } from '../../../server/operations/catalog/catalog.js';
import { addressFaults } from './address-faults.js';
import {
  accepts,
  at,
  both,
  breaking,
  doesNothing,
  has,
  hasSeveral,
  isMistyped,
  lacks,
  not,
  onlyFirst,
  onlyWhen,
  readsFields,
  readsLists,
  refuses,
  sum,
  takesOneForList,
  validFirst,
  type When,
} from './fault-changes.js';
import { pushPullFaults } from './push-pull-faults.js';
import type { Change, ServerFault } from './server-fault.js';
import { spaceFaults } from './space-faults.js';
import { groupFaults, permissionFaults } from './wiki-faults.js';

/** The lists of bodies, each with the one that may replace it. */
const siblings = { users: 'groups', groups: 'users', filters: 'dashboards', dashboards: 'filters' } as const;
type ListName = keyof typeof siblings;
const LISTS = Object.keys(siblings) as ListName[];

/** One operation, or several that may have a fault in common. */
interface Scope {
  readonly rules: readonly string[];
  /** The requests, in words. */
  readonly where: string;
  readonly lists: readonly ListName[];
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

/** Reads the body as if a list were empty: absent in push and pull, which need not take an empty one. */
function reads(when: When, list: ListName): Change {
  return readsFields(when, (fields, { place }) => {
    const { [list]: _, ...others } = fields;
    const { group: __, ...alone } = others;
    if (place === 'push' || place === 'pull') return others;
    return { ...(list === 'groups' ? alone : others), ...(list in fields && { [list]: [] }) };
  });
}

/** What becomes of the lists of a body. */
function listFaults({ rules, where, lists, when }: Scope): ServerFault[] {
  return [
    ...breaking(rules, {
      [`uses only the first element of each list in ${where}`]: readsLists(when, lists, onlyFirst),
      [`leaves out the last element of each list in ${where}`]: readsLists(when, lists, list =>
        list.length > 1 ? list.slice(0, -1) : list,
      ),
    }),
    ...lists.flatMap(list => {
      const other = siblings[list];
      const beside = both(when, has(other));
      if (!lists.includes(other)) return [];
      return breaking(rules, {
        [`ignores ${list} in ${where}`]: sum(reads(beside, list), doesNothing(both(when, not(has(other))))),
        [`ignores ${list} beside ${other} in ${where}`]: reads(beside, list),
        [`uses only the first of the ${list} in ${where}`]: readsLists(when, [list], onlyFirst),
      });
    }),
  ];
}

const texts = { users: 'texts', groups: 'texts' } as const;
const DONE = { success: true, messages: [] };

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
  ...(
    [
      [groups, 'groups.body', { group: 'text', users: 'texts' }],
      [pages, 'permissions.body', texts],
      [pushPull, 'ppf.body-types', { ...texts, filters: 'ids', dashboards: 'ids' }, DONE, 400],
    ] as const
  ).flatMap(([{ where, lists, when }, rule, types, ...responds]) =>
    breaking(rule, {
      [`accepts a single value for a list in ${where}`]: takesOneForList(when, ...lists),
      [`reports success for fields of the wrong type in ${where}`]: accepts(both(when, isMistyped(types)), ...responds),
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
