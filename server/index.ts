// The library: what a program may import from `cwx-fake`, and no more. The one file that hands on what others export.

export type { Health } from './control/actions/health.js';
export type { PlayedRun, PlayedStep } from './control/actions/play-action.js';
export type { EventType, SandboxEvent } from './engine/events/event.js';
export type { ArmedFault, ArmedStub } from './engine/faults/armed.js';
export type { Fault } from './engine/faults/fault.js';
export type { Stub } from './engine/faults/stub.js';
export type { Coverage, OperationCoverage, ReadingCoverage } from './engine/journal/coverage.js';
export type { JournalEntry } from './engine/journal/journal-entry.js';
export type { EntryHints, EntryView } from './engine/look-back/entry-view.js';
export type { Explanation } from './engine/look-back/explain.js';
export type { Happened } from './engine/sandbox/history.js';
export type { Kept } from './engine/sandbox/snapshots.js';
export type { Description } from './engine/session/describe.js';
export type { CallOf, Client, NotOk, ResponseTo } from './library/client/calls.js';
export { clientAt } from './library/client/client-at.js';
export { connectFake, createFake, startFake } from './library/fake.js';
export type { CreateOptions, StartOptions } from './library/options.js';
export { providerStates, type StateHandler, type StateHandlers, type StateOptions } from './library/pact-handlers.js';
export { FakeError } from './library/port/fake-error.js';
export type { Fetch } from './library/port/fetch.js';
export type {
  ArmOptions,
  Caller,
  ConnectOptions,
  Difference,
  EntryFilter,
  Fake,
  FakeInformation,
  Leaked,
  PlayOptions,
  RequestPattern,
  Sandbox,
  SandboxOptions,
  SnapshotOptions,
} from './library/sandbox/api.js';
export type { TypedPatch, WrittenWorld } from './library/sandbox/typed-world.js';
export type { OperationId } from './operations/catalog/catalog.js';
export type { GapId, Reading, Readings, SomeReadings } from './operations/gaps/gaps.js';
export type { ProfileName } from './operations/gaps/profiles.js';
export type { TlsOptions } from './outgoing/tls-options.js';
export type { Verified } from './scenario/verify/verify-requests.js';
export type { ValidationError } from './scenario/yaml/problem.js';
