// A run as every command reports it: a list of checks, each with its verdict, of which every kind of report is written. Knows no format.

/** `undetermined`: nothing can be said. The formats call it skipped. */
export type CheckVerdict = 'passed' | 'failed' | 'undetermined';

/** One thing that was looked at. */
export interface Check {
  readonly suite: string;
  readonly name: string;
  readonly verdict: CheckVerdict;
  /** Milliseconds. */
  readonly duration: number;
  /** One line: why it failed, or why nothing can be said. */
  readonly message?: string;
  /** One line: on which guess it rests that it passed. */
  readonly warning?: string;
  /** The evidence, several lines. */
  readonly details?: string;
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  /** What it stands for, such as the rules that it proved. */
  readonly labels?: readonly string[];
}

export interface Report {
  /** The program and the command: `cwx-fake play`. */
  readonly tool: string;
  readonly version: string;
  readonly title: string;
  /** An ISO instant. */
  readonly startedAt: string;
  /** Milliseconds. */
  readonly duration: number;
  readonly checks: readonly Check[];
  /** Further facts of the run: its target, its readings. */
  readonly properties?: Readonly<Record<string, string>>;
  /** What the checks do not tell, for the formats that have room for it: Markdown. */
  readonly parts?: readonly Part[];
}

/** A table with what there is to say of it. */
export interface Part {
  readonly title: string;
  /** Sentences, each a paragraph. */
  readonly says: readonly string[];
  readonly heads: readonly string[];
  /** As many cells each as there are heads; without a row there is no table. */
  readonly rows: ReadonlyArray<readonly string[]>;
}

export interface Suite {
  readonly name: string;
  readonly checks: readonly Check[];
}

export function countsOf(checks: readonly Check[]): Readonly<Record<CheckVerdict, number>> {
  const counts = { passed: 0, failed: 0, undetermined: 0 };
  for (const { verdict } of checks) counts[verdict]++;
  return counts;
}

/** The checks by suites, both in the order in which they first came. */
export function suitesOf(checks: readonly Check[]): readonly Suite[] {
  const suites = new Map<string, Check[]>();
  for (const check of checks) {
    const others = suites.get(check.suite);
    if (others === undefined) suites.set(check.suite, [check]);
    else others.push(check);
  }
  return [...suites].map(([name, members]) => ({ name, checks: members }));
}

/** Milliseconds that the checks took together. */
export function timeOf(checks: readonly Check[]): number {
  return checks.reduce((sum, { duration }) => sum + duration, 0);
}
