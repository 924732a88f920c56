// The examples of every operation and resource, and effects that are read back, in every way in which a fake is reached.
import type { Call } from '../../server/derive/sending/call.js';
import { operations, restResources } from '../../server/operations/catalog/catalog.js';
import type { Example } from '../../server/operations/operation.js';
import { describeMatrix, type MatrixCall, type MatrixRow } from '../support/worlds/matrix.js';

const named = (user: string) => ({ user, password: user });
const admin = named('admin');
const alice = named('alice');

const examples: readonly MatrixRow[] = [...operations, ...restResources].flatMap(({ id, examples }) =>
  examples.map(({ title, as, response, ...call }: Example) => ({
    what: `${id}: ${title}`,
    calls: [{ id, call: { ...call, ...(as !== undefined && { as: named(as) }) }, ...response }],
  })),
);

const ok = (id: string, call: Call, shows = ''): MatrixCall => ({
  id,
  call: { as: admin, ...call },
  status: 200,
  shows,
});
const welcome = { params: { pageId: '65601' } };
const readWelcome = { as: alice, params: { id: '65601' } };

const effects: readonly MatrixRow[] = [
  {
    what: 'groups.set-users: the members are replaced',
    calls: [
      ok('groups.set-users', { body: { group: 'team-members', users: ['alice', 'carol'] } }),
      ok('confluence.group-members', { params: { name: 'team-members' } }, '"size":2'),
      ok('groups.remove-users', { body: { group: 'team-members', users: ['carol'] } }),
      ok('confluence.group-members', { params: { name: 'team-members' } }, '"size":1'),
    ],
  },
  {
    what: 'permissions.view-add: only those who are named see the page, until all are removed',
    calls: [
      ok('confluence.content', readWelcome, '"Welcome"'),
      ok('permissions.view-add', { ...welcome, body: { groups: [], users: ['carol'] } }),
      { id: 'confluence.content', call: readWelcome, status: 404 },
      ok('permissions.all-remove', { ...welcome, body: { groups: [], users: ['carol'] } }),
      ok('confluence.content', readWelcome, '"Welcome"'),
    ],
  },
  {
    what: 'ppf.push and ppf.pull: a favourite comes and goes',
    calls: [
      ok('ppf.push', { body: { users: ['alice'], filters: [10500] } }, '"success":true'),
      ok('jira.favourite-filters', { as: alice }, '"10500"'),
      ok('ppf.pull', { body: { users: ['alice'], filters: [10500] } }, '"success":true'),
      { id: 'jira.favourite-filters', call: { as: alice }, status: 200, body: [] },
    ],
  },
  {
    what: 'ppf.push: without credentials nothing is pushed',
    calls: [
      { id: 'ppf.push', call: { body: { users: ['alice'], filters: [10500] } }, status: 403 },
      { id: 'jira.favourite-filters', call: { as: alice }, status: 200, body: [] },
    ],
  },
];

describeMatrix('operations and resources', [...examples, ...effects]);
