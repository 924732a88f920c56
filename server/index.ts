// The library: what a program may import from `cwx-fake`, and no more. The one file that hands on what others export.
export type { AnswerTo, CallOf, Client, NotOk } from './client/calls.js';
export { clientAt } from './client/client-at.js';
export type { Description } from './engine/description.js';
export type { EventType, SandboxEvent } from './engine/event.js';
export type { Explanation } from './engine/explain.js';
export type { Fault, Told as ArmedFault } from './engine/fault.js';
export type { Happened } from './engine/history.js';
export type { JournalEntry } from './engine/journal-entry.js';
export type { Kept } from './engine/snapshots.js';
export type { ToldEntry } from './engine/told-entry.js';
export type {
  ArmOptions,
  Caller,
  Difference,
  EntryFilter,
  Fake,
  Fetch,
  Leaked,
  PlayOptions,
  Sandbox,
  SandboxOptions,
  SnapshotOptions,
  Telling,
  Wish,
} from './fake/face.js';
export { FakeError, type FakeProblem } from './fake/failure.js';
export { createFake, startFake } from './fake/fake.js';
export type { CreateOptions, StartOptions } from './fake/options.js';
export { providerStates, type StateHandler, type StateHandlers, type StateOptions } from './fake/states.js';
export type { TypedPatch, WrittenWorld } from './fake/world-patch.js';
export type { Health } from './health.js';
export type { OperationId } from './operations/catalog.js';
export type { GapId, Reading, Readings, SomeReadings } from './operations/gaps.js';
export type { Capsule } from './scenario/capsule/capsule-format.js';
export type { Played } from './scenario/play/player.js';
export type { Verified } from './scenario/verify/verify.js';
