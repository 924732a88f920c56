// The whole table of the control API (design 9), as data for the tests of this folder.

import type { Row } from './row.js';
import { aboutRows } from './rows-about.js';
import { askingRows } from './rows-asking.js';
import { faultRows } from './rows-faults.js';
import { playingRows } from './rows-playing.js';
import { sandboxRows } from './rows-sandboxes.js';
import { stubRows } from './rows-stubs.js';
import { travelRows } from './rows-travel.js';
import { worldRows } from './rows-worlds.js';

/** Those whose response ends. */
export const rows: readonly Row[] = [
  ...aboutRows,
  ...sandboxRows,
  ...worldRows,
  ...faultRows,
  ...stubRows,
  ...travelRows,
  ...playingRows,
  ...askingRows,
];

/** Those whose response goes on; a test of its own covers them. */
export const streaming: readonly Row[] = [
  { id: 'events.read', endpoint: 'GET /_fake/v1/sandboxes/{s}/events', cases: [] },
];
