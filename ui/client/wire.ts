// What the control API sends and takes, under the names that the dashboard has for it. The shapes are the server's own types; nothing of it is loaded.
import type { PlayedStep as Played } from '../../server/control/actions/play-action.js';
import type { WorldPart as Part } from '../../server/domain/form/world-part.js';
import type { EventData } from '../../server/engine/events/event.js';
import type { ArmedFault as Armed } from '../../server/engine/faults/fault.js';
import type { Explanation as Explained } from '../../server/engine/journal/explain.js';
import type { Difference as Between } from '../../server/engine/sandbox/travel.js';

export type { ValidationError as Flaw } from '../../server/control/action.js';
export type { ShownClock as Clock } from '../../server/control/actions/clock-actions.js';
export type {
  GapEntry as LedgerGap,
  Ledger,
  ProfileEntry as LedgerProfile,
} from '../../server/derive/ledger/ledger.js';
export type { CollectionName } from '../../server/domain/form/form-shapes.js';
export type { EntryView as Entry } from '../../server/engine/journal/entry-view.js';
export type { OtherReading, ToldGap as Guess, ToldRule as Rule } from '../../server/engine/journal/explain.js';
export type { Forwarded } from '../../server/engine/journal/journal-entry.js';
export type { Description } from '../../server/engine/sandbox/describe.js';
export type { Happened } from '../../server/engine/sandbox/history.js';
export type { Kept as Snapshot } from '../../server/engine/sandbox/snapshots.js';
export type { Change as Fact } from '../../server/engine/sandbox/state.js';
export type { Listed as ListedScenario } from '../../server/scenario/load/load.js';
export type { Preview, PreviewStep } from '../../server/scenario/play/preview.js';
export type { EventData as ServerEvents };

export type Readings = Readonly<Record<string, string>>;

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** The same, where what the server knows no more about has become JSON. */
type Sent<T> = unknown extends T ? Json : T extends object ? { readonly [K in keyof T]: Sent<T[K]> } : T;

export type ArmedFault = Sent<Armed>;
export type Difference = Sent<Between>;
export type Explanation = Sent<Explained>;
export type PlayedStep = Sent<Played>;
/** Some records of a world. */
export type WorldPart = Sent<Part> & { readonly version: number };

/** A file from elsewhere. */
export interface OpenedFile {
  readonly file: string;
  readonly text: string;
}
