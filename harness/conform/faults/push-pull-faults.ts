// Faults of push and pull: sections 4.5, 5 and 7 of the document.
import { authorization } from '../../../server/derive/sending/call.js';
import { parsedJson } from '../../../server/domain/json/parsed-json.js';
import {
  asksInstead,
  at,
  both,
  breaking,
  fieldsOf,
  has,
  isByAdmin,
  isText,
  not,
  readsLists,
  refuses,
  respondsWith,
  sends,
  servesAs,
  sum,
  type When,
} from './fault-changes.js';
import type { Change, ServerFault } from './server-fault.js';

const pushing = at('push');
const pulling = at('pull');
const either = at('push', 'pull');
const ITEMS = ['filters', 'dashboards'] as const;
const isOther: When = ({ caller, response }) => caller.name !== undefined && !caller.isAdmin && response.status === 403;

/** Serves a request as if an admin had sent it. */
function asAdmin(when: When): Change {
  return asksInstead(both(either, when), ({ headers, world }) => {
    const admin = world.users.findKey(one => one.admin);
    if (admin === undefined) return {};
    const others = Object.entries(headers).filter(([header]) => header.toLowerCase() !== 'authorization');
    const password = world.users.get(admin)?.password ?? '';
    return { headers: { ...Object.fromEntries(others), Authorization: authorization({ user: admin, password }) } };
  });
}

const sendsSuccess = (success: boolean) => sends(either, body => ({ ...body, success }));

/** The faults of a push, of a pull, and of both. */
const common = (
  [
    [['ppf.push'], pushing, 'pulls'],
    [['ppf.pull'], pulling, 'pushes'],
    [['ppf.push', 'ppf.pull'], either, 'swaps push and pull'],
  ] as const
).flatMap(([own, when, instead]) =>
  breaking(own, {
    [`${instead} instead`]: sum(
      servesAs(both(when, pushing), '/push', '/pull'),
      servesAs(both(when, pulling), '/pull', '/push'),
    ),
  }),
);

/** The lists of which at least one is needed. */
const needs = (
  [
    ['recipient', 'users', 'groups'],
    ['item', 'filters', 'dashboards'],
  ] as const
).flatMap(([what, one, other]) =>
  breaking(`ppf.needs-${what}`, {
    [`requires ${one} in push and pull even when ${other} are given`]: refuses(both(either, not(has(one)))),
    [`requires ${other} in push and pull even when ${one} are given`]: refuses(both(either, not(has(other)))),
    [`requires both ${one} and ${other} in push and pull`]: refuses(both(either, not(both(has(one), has(other))))),
  }),
);

export const pushPullFaults: readonly ServerFault[] = [
  ...breaking('ppf.admin-only', {
    'refuses push and pull by admins': refuses(both(either, isByAdmin), 403),
    'refuses push and pull by admins and lets all other users': sum(
      asAdmin(isOther),
      refuses(both(either, isByAdmin), 403),
    ),
  }),
  ...breaking('ppf.body-types', {
    ...Object.fromEntries(
      ITEMS.map(list => [
        `requires the ids of ${list} as text`,
        readsLists(either, [list], ids => ids.map(id => (isText(id) ? Number(id) : `${id}`))),
      ]),
    ),
  }),
  ...needs,
  ...breaking('ppf.processed-is-200', {
    'returns another status than 200 for push and pull': respondsWith(either, 200, 201),
    'returns 204 without a body for push and pull': respondsWith(either, 200, 204, ''),
    'returns 400 when a push or pull has errors': {
      response: ({ status, text }, asked) =>
        status === 200 && either(asked) && fieldsOf({ json: parsedJson(text) }).success === false
          ? { status: 400 }
          : {},
    },
    'leaves messages out of the response': sends(either, ({ success }) => ({ success })),
    'leaves success out of the response': sends(either, ({ messages }) => ({ messages })),
  }),
  ...breaking('ppf.success-flag', {
    'always sends success true': sendsSuccess(true),
    'always sends success false': sendsSuccess(false),
  }),
  ...common,
];
