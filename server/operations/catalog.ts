// All operations, and what their objects say when they are read together: the rules, and where each refusal can come from.
// The one list that routing, documents and clients start from.
import { addressRules } from './address.js';
import { expandRules } from './expand.js';
import { addUsers, removeUsers, setUsers } from './groups.js';
import type { Operation } from './operation.js';
import { allRemove, editAdd, editRemove, viewAdd, viewRemove } from './permissions.js';
import { pull, push } from './push-pull.js';
import { replaceInPage } from './replace-in-page.js';
import type { Rules, RuleText } from './rule.js';
import { addSidebarLink, copySpace, isUnique } from './spaces.js';

/** Every operation with its own types, in the order of the document. */
export const catalog = [
  addUsers,
  removeUsers,
  setUsers,
  editAdd,
  editRemove,
  viewAdd,
  viewRemove,
  allRemove,
  addSidebarLink,
  copySpace,
  isUnique,
  replaceInPage,
  push,
  pull,
] as const;

export type OperationId = (typeof catalog)[number]['id'];

export const operations: readonly Operation[] = catalog;

export function operationOf(id: string): Operation | undefined {
  return operations.find(operation => operation.id === id);
}

/** Every rule by its id. Operations that keep a rule together declare the same object. */
export const rules: Rules = Object.fromEntries(
  [addressRules as Rules, expandRules as Rules, ...operations.map(operation => operation.rules)].flatMap(table =>
    Object.entries<RuleText>(table),
  ),
);
