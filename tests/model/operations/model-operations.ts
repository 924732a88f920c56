// The operations of the model: one row for each operation of the catalog.
import type { OperationId } from '../../../server/operations/catalog/catalog.js';
import type { ModelOperation } from './given.js';
import { groupOperations } from './model-groups.js';
import { permissionOperations } from './model-permissions.js';
import { pushPullOperations } from './model-push-pull.js';
import { replaceOperations } from './model-replace.js';
import { spaceOperations } from './model-spaces.js';

export const modelOperations: { readonly [Id in OperationId]: ModelOperation } = {
  ...groupOperations,
  ...permissionOperations,
  ...spaceOperations,
  ...replaceOperations,
  ...pushPullOperations,
};

export const documentedRows = Object.entries(modelOperations) as ReadonlyArray<readonly [OperationId, ModelOperation]>;
