// The list of all operations, and data combined from their objects. Routing, documents and clients derive from it.
import { addressRules } from '../address.js';
import type { Rules, RuleText } from '../document/rule.js';
import { expandRules } from '../expand.js';
import type { Operation } from '../operation.js';
import { pull, push } from '../push-pull/push-pull.js';
import type { AnyOperation, RestResource } from '../rest-api/resource.js';
import { addUsers, removeUsers, setUsers } from '../wiki/groups.js';
import { allRemove, editAdd, editRemove, viewAdd, viewRemove } from '../wiki/permissions.js';
import { replaceInPage } from '../wiki/replace-in-page.js';
import { addSidebarLink, copySpace, isUnique } from '../wiki/spaces.js';
import { resourceCatalog } from './resource-catalog.js';

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

/** Resources of Confluence and Jira, which the document does not describe. */
export const restResources: readonly RestResource[] = resourceCatalog;
export type ResourceId = (typeof resourceCatalog)[number]['id'];
export type AnyOperationId = OperationId | ResourceId;
export const operationIds: readonly string[] = [...operations, ...restResources].map(({ id }) => id);

export function operationOf(id: string): Operation | undefined {
  return operations.find(operation => operation.id === id);
}

/** An operation, or a resource. */
export function anyOperationOf(id: string): AnyOperation | undefined {
  return operationOf(id) ?? restResources.find(resource => resource.id === id);
}

/** Whether an id is that of a resource of Confluence or Jira. */
export function isResourceId(id: string | undefined): boolean {
  return restResources.some(resource => resource.id === id);
}

/** Every rule by id. Operations that share a rule declare the same object. */
export const rules: Rules = Object.fromEntries(
  [addressRules as Rules, expandRules as Rules, ...operations.map(operation => operation.rules)].flatMap(table =>
    Object.entries<RuleText>(table),
  ),
);
