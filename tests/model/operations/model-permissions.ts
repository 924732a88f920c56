// The operations on permissions of pages, as the model has them.
import type { OperationId } from '../../../server/operations/catalog/catalog.js';
import { isJson, type Named } from '../model-world.js';
import {
  bodyIn,
  checkNames,
  create,
  due,
  fieldsIn,
  type Given,
  known,
  permitted,
  refuse,
  succeeding,
  typed,
} from './given.js';

const row = (operation: OperationId, method: string, path: string, heading?: string) => ({
  method,
  path: `/permissions/${path}/{pageId}`,
  ...(heading && { heading }),
  fields: { path: { pageId: 'text' }, body: { groups: ['text'], users: ['text'] } },
  perform: succeeding(given => permission(operation, given)),
});

export const permissionOperations = {
  'permissions.edit-add': row('permissions.edit-add', 'PUT', 'edit'),
  'permissions.edit-remove': row('permissions.edit-remove', 'DELETE', 'edit', 'POST'),
  'permissions.view-add': row('permissions.view-add', 'PUT', 'view'),
  'permissions.view-remove': row('permissions.view-remove', 'DELETE', 'view'),
  'permissions.all-remove': row('permissions.all-remove', 'DELETE', 'all', 'POST'),
};

function permission(operation: OperationId, given: Given): void {
  const { world, read, happened, pageId } = given;
  const [, which = '', what = ''] = /permissions\.(\w+)-(\w+)/.exec(operation) ?? [];
  checkNames(given, []);
  const value = bodyIn(given, due(given, {}, 'missing-list'));
  const body = fieldsIn(which === 'all' ? renamed(value, given) : value, { groups: 'texts', users: 'texts' }, given);
  const { groups, users } = body as { groups: string[]; users: string[] }; // as the shape says
  if (!/^[0-9]+$/.test(pageId) && read('page-id-format') === 'digits') refuse(404);
  const isNobody = users.length + groups.length === 0;
  const isEveryone = which === 'all' && isNobody && read('all-remove-empty') === 'everyone';
  if (isNobody && !isEveryone && read('empty-lists') === '400') refuse(400);
  given.valid();
  const page = world.pages.get(pageId) ?? refuse(read('unknown-page'));
  permitted(page.space, given, page);
  const [made, newUsers] = [new Set<string>(), new Set<string>()];
  const named = new Set(known('user', given, users, newUsers, what === 'remove'));
  const asked: Named = { users: named, groups: new Set(known('group', given, groups, made, what === 'remove')) };
  let isChanged = made.size + newUsers.size > 0;
  for (const list of [page.edit, page.view].filter((_, i) => which === 'all' || (which === 'view') === (i === 1)))
    for (const kind of ['users', 'groups'] as const)
      for (const name of isEveryone ? [...list[kind]] : asked[kind]) {
        if (list[kind].has(name) === (what === 'add')) continue;
        isChanged = true;
        if (what === 'add') list[kind].add(name);
        else list[kind].delete(name);
      }
  for (const group of made) world.groups.set(group, new Set());
  create(given, newUsers);
  if (isChanged) happened();
  else if (users.length + groups.length > 0 && read('no-change') === '409') refuse(409);
}

/** The document calls the list of groups `group` in one place. */
function renamed(value: unknown, { read }: Given): unknown {
  if (!isJson(value) || !Object.hasOwn(value, 'group') || read('all-group-field') === 'groups-only') return value;
  const { group: sent, groups: own, ...rest } = value;
  const [group, groups] = [sent, own].map(one => typed('texts', one, read('field-type')));
  if (groups === undefined) return { ...rest, groups: group };
  if ((group === null) !== (groups === null))
    return { ...rest, groups: read('null-field') === 'absent' ? (groups ?? group) : null };
  return { ...rest, groups: Array.isArray(group) && Array.isArray(groups) ? [...groups, ...group] : 'no list' };
}
