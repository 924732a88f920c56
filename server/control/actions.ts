// Every action, in the order of the control API's document.

import {
  listingScenarios,
  readingControlOpenapi,
  readingGuide,
  readingLedger,
  readingMetrics,
  readingOpenapi,
} from './actions/about-actions.js';
import type { Action } from './actions/action.js';
import { faultActions, releasingHold, stubActions } from './actions/armed-actions.js';
import { readingClock, settingClock } from './actions/clock-actions.js';
import { readingCoverage } from './actions/coverage-action.js';
import { readingEvents } from './actions/event-actions.js';
import { clearingJournal, readingHar, readingJournal, verifyingJournal } from './actions/journal-actions.js';
import { explainingEntry, recordingSandbox } from './actions/look-back-actions.js';
import { playingScenario } from './actions/play-action.js';
import { changingState, listingStates } from './actions/provider-state-actions.js';
import {
  creatingSandbox,
  describingSandbox,
  droppingSandbox,
  forkingSandbox,
  listingSandboxes,
  replacingSandbox,
  resettingSandbox,
} from './actions/sandbox-actions.js';
import {
  comparingVersions,
  droppingSnapshot,
  keepingSnapshot,
  listingSnapshots,
  restoringSnapshot,
  rewindingSandbox,
} from './actions/version-actions.js';
import { choosingReadings, patchingWorld, readingReadings, readingWorld } from './actions/world-actions.js';

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
  faultActions.listing,
  faultActions.setting,
  faultActions.clearing,
  releasingHold,
  stubActions.listing,
  stubActions.setting,
  stubActions.clearing,
  playingScenario,
  readingJournal,
  readingHar,
  clearingJournal,
  verifyingJournal,
  explainingEntry,
  recordingSandbox,
  readingEvents,
  listingStates,
  changingState,
  readingMetrics,
  readingCoverage,
];
