// The servers that tests play conform against.
import { addressServers } from './addresses.js';
import type { FaultyServer } from './changes.js';
import { groupServers, permissionServers } from './permissions.js';
import { pushPullServers } from './push-pull.js';
import { spaceServers } from './spaces.js';

export type { FaultyServer } from './changes.js';
export { correctServers, oddServers } from './correct.js';

export const faultyServers: readonly FaultyServer[] = [
  ...addressServers,
  ...groupServers,
  ...permissionServers,
  ...spaceServers,
  ...pushPullServers,
];
