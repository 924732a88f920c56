// The operations on groups, as the model has them.
import type { OperationId } from '../../../server/operations/catalog/catalog.js';
import {
  bodyIn,
  checkNames,
  create,
  due,
  fieldsIn,
  type Given,
  known,
  meant,
  refuse,
  same,
  succeeding,
} from './given.js';

const fields = { body: { group: 'text', users: ['text'] } };
const row = (operation: OperationId) => ({
  method: 'POST',
  path: `/${operation.replace('.', '/')}`,
  fields,
  perform: succeeding(given => membership(operation, given)),
});

export const groupOperations = {
  'groups.add-users': row('groups.add-users'),
  'groups.remove-users': row('groups.remove-users'),
  'groups.set-users': row('groups.set-users'),
};

function membership(operation: OperationId, given: Given): void {
  const { world, read, happened } = given;
  checkNames(given, []);
  const none = due(given, {}, 'missing-field', 'missing-list');
  const body = fieldsIn(bodyIn(given, none), { group: 'text', users: 'texts' }, given);
  const { group: sent, users } = body as { group: string; users: string[] }; // as the shape says
  const isSetting = operation === 'groups.set-users';
  if (users.length === 0 && read(isSetting ? 'set-users-empty' : 'empty-lists') === '400') refuse(400);
  given.valid();
  const group = meant(given, sent, world.groups);
  const isRemoving = operation === 'groups.remove-users';
  const [made, newUsers] = [new Set<string>(), new Set<string>()];
  const isThere = known('group', given, [group], made, isRemoving).length > 0;
  const named = known('user', given, users, newUsers, isRemoving);
  const isRefused = users.length > 0 && read('no-change') === '409';
  if (!isThere && isRefused) refuse(409);
  if (!isThere) return;
  const before = world.groups.get(group) ?? new Set();
  const after = new Set(
    isSetting
      ? named.length === 0 && users.length > 0
        ? before
        : named
      : operation === 'groups.add-users'
        ? [...before, ...named]
        : [...before].filter(user => !named.includes(user)),
  );
  const isSame = made.size + newUsers.size === 0 && same(before, after);
  if (isSame && isRefused) refuse(409);
  if (isSame) return;
  create(given, newUsers);
  world.groups.set(group, after);
  happened();
}
