// Every action, in the order of the control API's document.
import {
  listingScenarios,
  readingControlOpenapi,
  readingGuide,
  readingLedger,
  readingMetrics,
  readingOpenapi,
} from './about.js';
import type { Action } from './action.js';
import { readingClock, settingClock } from './clock.js';
import { readingCoverage } from './coverage-action.js';
import { readingEvents } from './event-actions.js';
import { clearingFaults, listingFaults, settingFaults } from './faults.js';
import { clearingJournal, readingJournal, verifyingJournal } from './journal-actions.js';
import { explainingEntry, readingCapsule } from './look-back.js';
import { playingScenario } from './play-action.js';
import { changingState, listingStates } from './provider-state-actions.js';
import {
  creatingSandbox,
  describingSandbox,
  droppingSandbox,
  forkingSandbox,
  listingSandboxes,
  replacingSandbox,
  resettingSandbox,
} from './sandbox-actions.js';
import {
  comparingVersions,
  droppingSnapshot,
  keepingSnapshot,
  listingSnapshots,
  restoringSnapshot,
  rewindingSandbox,
} from './travel-actions.js';
import { choosingReadings, patchingWorld, readingReadings, readingWorld } from './world-actions.js';

export const actions: readonly Action[] = [
  listingScenarios,
  readingOpenapi,
  readingControlOpenapi,
  readingLedger,
  readingGuide,
  listingSandboxes,
  creatingSandbox,
  describingSandbox,
  replacingSandbox,
  droppingSandbox,
  resettingSandbox,
  forkingSandbox,
  readingWorld,
  patchingWorld,
  readingReadings,
  choosingReadings,
  listingSnapshots,
  keepingSnapshot,
  restoringSnapshot,
  droppingSnapshot,
  rewindingSandbox,
  comparingVersions,
  readingClock,
  settingClock,
  listingFaults,
  settingFaults,
  clearingFaults,
  playingScenario,
  readingJournal,
  clearingJournal,
  verifyingJournal,
  explainingEntry,
  readingCapsule,
  readingEvents,
  listingStates,
  changingState,
  readingMetrics,
  readingCoverage,
];
