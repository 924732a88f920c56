// The result of a run for all formats of reports: a list of checks with verdicts.

/** The formats show `undetermined` as skipped. */
export type CheckVerdict = 'passed' | 'failed' | 'undetermined';

/** One checked thing. */
export interface Check {
  readonly suite: string;
  readonly name: string;
  readonly verdict: CheckVerdict;
  /** Undetermined because its failure does not count yet. */
  readonly isPending?: true;
  /** Milliseconds. */
  readonly duration: number;
  /** In one line, why it failed or is undetermined. */
  readonly message?: string;
  /** In one line, the guess that its success rests on. */
  readonly warning?: string;
  /** What a terminal says beside its name, where the evidence has the rest. Default: the message or the warning. */
  readonly remark?: string;
  /** The evidence, several lines. */
  readonly details?: string;
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  /** Labels such as the proven rules. */
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
  /** Whether the run was interrupted: then its totals are no success. */
  readonly isUnfinished?: boolean;
  /** Further properties of the run, such as target and readings. */
  readonly properties?: Readonly<Record<string, string>>;
  /** Additional parts for formats that can show them: Markdown. */
  readonly parts?: readonly Part[];
}

/** A table with text. */
export interface Part {
  readonly title: string;
  /** Sentences, each a paragraph. */
  readonly says: readonly string[];
  readonly heads: readonly string[];
  /** Each row has as many cells as heads; without rows, no table. */
  readonly rows: ReadonlyArray<readonly string[]>;
}

export interface Suite {
  readonly name: string;
  readonly checks: readonly Check[];
}

/** `warned`: how many of the passed checks have a warning. */
export function countsOf(checks: readonly Check[]): Readonly<Record<CheckVerdict | 'warned', number>> {
  const counts = { passed: 0, failed: 0, undetermined: 0, warned: 0 };
  for (const { verdict, warning } of checks) {
    counts[verdict]++;
    if (verdict === 'passed' && warning !== undefined) counts.warned++;
  }
  return counts;
}

/** Message and details of a check, without the details that the message has: lines with a label such as `differs`. */
export function evidenceOf({ message, details }: Check): string[] {
  const isSaid = (line: string) => {
    const at = line.indexOf('  ');
    const said = line.slice(at).trimStart();
    return at > 0 && /^[a-z ]+$/.test(line.slice(0, at)) && said !== '' && message?.includes(said);
  };
  const others = details?.split('\n').filter(line => !isSaid(line));
  return [message ?? '', others?.join('\n') ?? ''].filter(part => part !== '');
}

/** The checks by suite, in the order of first occurrence. */
export function suitesOf(checks: readonly Check[]): readonly Suite[] {
  const suites = new Map<string, Check[]>();
  for (const check of checks) {
    const others = suites.get(check.suite);
    if (others === undefined) suites.set(check.suite, [check]);
    else others.push(check);
  }
  return [...suites].map(([name, members]) => ({ name, checks: members }));
}

/** Total milliseconds of the checks. */
export function timeOf(checks: readonly Check[]): number {
  return checks.reduce((sum, { duration }) => sum + duration, 0);
}
