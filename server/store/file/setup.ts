// What all logs of one folder have in common.
import type { Format } from '../../engine/store.js';
import type { Descriptors } from './disk/descriptors.js';
import type { Disk } from './disk/disk.js';
import type { Parts } from './part-files.js';

export interface Setup<Base, Entry, Note> {
  readonly folder: string;
  readonly format: Format<Base, Entry, Note>;
  /** Whether what is acknowledged outlives a loss of power, and not only the end of the process. */
  readonly fsync: boolean;
  readonly disk: Disk;
  readonly descriptors: Descriptors;
  readonly parts: Parts;
  /** Never gives the same twice, nor one that another process gave. */
  readonly newId: () => string;
}
