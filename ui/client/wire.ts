// What the control API sends and takes, as far as the dashboard uses it. Shapes only: `/_fake/v1/control-openapi.json` describes all of it.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };
export type Readings = Readonly<Record<string, string>>;

export interface Fact {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface Description {
  readonly name: string;
  readonly scenario: string;
  readonly version: number;
  /** The oldest version that is kept. */
  readonly oldest: number;
  readonly now: string;
  /** Those that differ from the defaults. */
  readonly readings: Readings;
  readonly url: string;
  readonly journal: { readonly entries: number; readonly evicted: number };
  /** Seconds. */
  readonly idle: number;
}

export interface Entry {
  readonly id: number;
  /** The sandbox's time. */
  readonly at: string;
  readonly requestId?: string;
  readonly method: string;
  readonly url: string;
  readonly operation?: string;
  readonly caller?: string;
  readonly unasked?: string;
  readonly unproved?: string;
  readonly readings?: string;
  readonly unknownQuery?: readonly string[];
  readonly repeatedQuery?: readonly string[];
  readonly request: {
    readonly contentType: string;
    readonly body?: string;
    readonly unread?: { readonly kind: string; readonly problem?: string };
  };
  readonly answer: { readonly status: number; readonly body?: string };
  readonly rules: readonly string[];
  readonly gaps: Readings;
  readonly facts: readonly Fact[];
  readonly fault?: string;
  /** The version on which it was decided, and the one afterwards. */
  readonly before: number;
  readonly version: number;
  readonly leaked?: true;
  readonly nearest?: string;
  readonly unreadFields?: readonly string[];
  readonly otherCase?: readonly { readonly at: string; readonly sent: string; readonly known: string }[];
}

export type CollectionName = 'users' | 'groups' | 'spaces' | 'pages' | 'filters' | 'dashboards' | 'favourites';

export interface RecordPart {
  readonly key: string;
  readonly record: Json;
  /** Length of each value that was cut, by its JSON pointer. */
  readonly cut?: Readonly<Record<string, number>>;
}

export interface WorldPart {
  readonly version: number;
  readonly counts: Readonly<Record<CollectionName, number>>;
  readonly licence: { readonly ppf: string };
  readonly nextPageId: number;
  readonly collection: CollectionName;
  readonly matching: number;
  readonly offset: number;
  readonly records: readonly RecordPart[];
}

export interface Difference {
  readonly from: number;
  readonly to: number;
  readonly patch: JsonObject;
  readonly changes: readonly Happened[];
}
export type Happened = Fact & { readonly version: number };

export interface Snapshot {
  readonly name: string;
  readonly version: number;
  readonly at: string;
}

export interface Rule {
  readonly rule: string;
  readonly says: string;
  readonly source: string;
  readonly statements: readonly string[];
}

export interface OtherReading {
  readonly reading: string;
  readonly means: string;
  readonly status: number;
  /** Whether the answer and what happens would be the same. */
  readonly same: boolean;
  readonly says: string;
}

export interface Guess {
  readonly gap: string;
  readonly asks: string;
  readonly source: string;
  readonly statements: readonly string[];
  readonly reading: string;
  readonly means: string;
  readonly others?: readonly OtherReading[];
}

interface Outcome {
  readonly answer: { readonly status: number; readonly body?: Json };
  readonly rules: readonly Rule[];
  readonly gaps: readonly Guess[];
  readonly facts: readonly Fact[];
  readonly fault?: string;
}

export interface Explanation extends Outcome {
  readonly entry: number;
  readonly under?: Outcome & {
    readonly readings: Readings;
    readonly differs: readonly { readonly at: string; readonly was?: Json; readonly would?: Json }[];
    readonly patch: JsonObject;
  };
}

export interface Ledger {
  readonly rules: readonly {
    readonly id: string;
    readonly says: string;
    readonly source: string;
    readonly operations: readonly string[];
  }[];
  readonly gaps: readonly LedgerGap[];
  readonly profiles: readonly LedgerProfile[];
}
export interface LedgerProfile {
  readonly name: string;
  readonly means: string;
  /** Where it is not the default. */
  readonly readings: Readings;
}
export interface LedgerGap {
  readonly id: string;
  readonly asks: string;
  readonly source: string;
  readonly readings: readonly { readonly name: string; readonly means: string }[];
}

export interface ArmedFault {
  readonly operation?: string;
  readonly path?: string;
  readonly caller?: string;
  readonly effect: JsonObject;
  readonly met: number;
  readonly fired: number;
  readonly [field: string]: unknown;
}

export interface Clock {
  readonly now: string;
  readonly running: boolean;
}

export interface ListedScenario {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly problem?: string;
}

/** A file from elsewhere. */
export interface OpenedFile {
  readonly file: string;
  readonly text: string;
}

export interface PreviewStep {
  readonly step: number;
  readonly line: number;
  readonly say: string;
  readonly as?: string;
  readonly operation?: string;
  readonly request?: { readonly method: string; readonly path: string; readonly body?: string };
}

export interface Preview {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly steps: readonly PreviewStep[];
}

export interface PlayedStep {
  readonly step: number;
  readonly say: string;
  readonly outcome: 'held' | 'failed' | 'skipped';
  readonly why?: string;
  readonly status?: number;
  readonly connection?: 'broken';
  readonly differences: readonly {
    readonly of: string;
    readonly pointer: string;
    readonly expected?: Json;
    readonly found?: Json;
    readonly says: string;
  }[];
  readonly rules: readonly string[];
  readonly gaps: Readings;
  readonly facts: readonly Fact[];
  readonly fault?: string;
}

export interface Flaw {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly pointer?: string;
  readonly message?: string;
  readonly problem?: string;
}

export interface ServerEvents {
  readonly entry: Entry;
  readonly changed: { readonly version: number; readonly changes: readonly Fact[] };
  readonly reset: { readonly version: number };
  readonly dropped: object;
  readonly made: { readonly scenario: string };
  readonly lost: { readonly changes: number | null; readonly entries: number | null };
  readonly 'cut-off': { readonly reason: string };
}
