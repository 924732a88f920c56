// The examples of every operation and resource, and an effect that is read back, in every way in which a fake is reached.
import type { Call } from '../../server/derive/sending/call.js';
import { operations, restResources } from '../../server/operations/catalog/catalog.js';
import type { Example } from '../../server/operations/operation.js';
import { describeMatrix, type MatrixCall, type MatrixRow } from '../support/worlds/matrix.js';

const named = (user: string) => ({ user, password: user });

const examples: readonly MatrixRow[] = [...operations, ...restResources].flatMap(({ id, examples }) =>
  examples.map(({ title, as, response, ...call }: Example) => ({
    what: `${id}: ${title}`,
    calls: [{ id, call: { ...call, ...(as !== undefined && { as: named(as) }) }, ...response }],
  })),
);

const ok = (id: string, call: Call, shows = ''): MatrixCall => ({
  id,
  call: { as: named('admin'), ...call },
  status: 200,
  shows,
});

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
];

describeMatrix('operations and resources', [...examples, ...effects]);
