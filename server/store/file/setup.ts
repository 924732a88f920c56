// What all logs of a folder share.
import type { Format } from '../../engine/store.js';
import type { Descriptors } from './disk/descriptors.js';
import type { Disk } from './disk/disk.js';
import type { Parts } from './part-files.js';

export interface Setup<Base, Entry, Note> {
  readonly folder: string;
  readonly format: Format<Base, Entry, Note>;
  /** Whether acknowledged data survives a power failure, not only the end of the process. */
  readonly fsync: boolean;
  readonly disk: Disk;
  readonly descriptors: Descriptors;
  readonly parts: Parts;
  /** Never returns an id twice, nor an id of another process. */
  readonly newId: () => string;
}
