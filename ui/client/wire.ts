// The types of the control API under the dashboard's names. Types only.
import type { PlayedStep as Played } from '../../server/control/actions/play-action.js';
import type { WorldPart as Part } from '../../server/domain/form/world-part.js';
import type { EventData } from '../../server/engine/events/event.js';
import type { ArmedFault as Armed, ArmedStub as Stub } from '../../server/engine/faults/armed.js';
import type { Explanation as Explained } from '../../server/engine/look-back/explain.js';
import type { VersionDifference as Between } from '../../server/engine/sandbox/versions.js';

export type { ShownClock as Clock } from '../../server/control/actions/clock-actions.js';
export type { GapEntry as LedgerGap, Ledger } from '../../server/derive/ledger/ledger.js';
export type { CollectionName } from '../../server/domain/form/form-shapes.js';
export type { EntryView as Entry } from '../../server/engine/look-back/entry-view.js';
export type { ExplainedGap as Guess } from '../../server/engine/look-back/explain.js';
export type { Forwarded } from '../../server/engine/request/forwarded.js';
export type { Happened } from '../../server/engine/sandbox/history.js';
export type { Kept as Snapshot } from '../../server/engine/sandbox/snapshots.js';
export type { Change as Fact } from '../../server/engine/sandbox/state.js';
export type { Description } from '../../server/engine/session/describe.js';
export type { OperationId } from '../../server/operations/catalog/catalog.js';
export type { Listed as ListedScenario } from '../../server/scenario/load/load.js';
export type { Preview, PreviewStep } from '../../server/scenario/play/preview.js';
export type { ValidationError } from '../../server/scenario/yaml/problem.js';
export type { EventData as ServerEvents };

export type Readings = Readonly<Record<string, string>>;

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** The JSON form of a server type. */
type Sent<T> = unknown extends T ? Json : T extends object ? { readonly [K in keyof T]: Sent<T[K]> } : T;

export type ArmedFault = Sent<Armed>;
export type ArmedStub = Sent<Stub>;
export type Difference = Sent<Between>;
export type Explanation = Sent<Explained>;
export type PlayedStep = Sent<Played>;
/** A held response: the name of its hold, and its journal entry. */
export interface Waiting {
  readonly hold: string;
  readonly entry: number;
}
/** Some records of a world. */
export type WorldPart = Sent<Part> & { readonly version: number };

/** A file from elsewhere. */
export interface OpenedFile {
  readonly file: string;
  readonly text: string;
}
