// What has come of the mutants, as tables and lists to be read. Tries nothing itself.
import type { Table } from '../../support/measuring/table.js';
import type { Kind, Mutant } from './instrument.js';
import { type Reason, reasonFor, reasons, unnoticeable } from './known.js';
import type { Outcome } from './trial.js';

export interface Count {
  readonly mutants: number;
  readonly killed: number;
  readonly timeout: number;
  readonly elsewhere: number;
  readonly survived: number;
  readonly uncovered: number;
}

export function countOf(outcomes: readonly Outcome[]): Count {
  const of = (status: Outcome['status']) => outcomes.filter(outcome => outcome.status === status).length;
  return {
    mutants: outcomes.length,
    killed: of('killed'),
    timeout: of('timeout'),
    elsewhere: of('elsewhere'),
    survived: of('survived'),
    uncovered: of('uncovered'),
  };
}

/** The percentage that the suite caught; 100 where there was nothing to catch. */
export function scoreOf({ mutants, killed, timeout }: Omit<Count, 'elsewhere'>): number {
  return mutants === 0 ? 100 : ((killed + timeout) / mutants) * 100;
}

export function tableOf(outcomes: readonly Outcome[]): Table {
  const row = (title: string, among: readonly Outcome[]) => {
    const count = countOf(among);
    const { mutants, killed, timeout, elsewhere, survived, uncovered } = count;
    return [
      title,
      ...[mutants, killed, timeout, elsewhere, survived, uncovered].map(String),
      percentage(scoreOf(count)),
    ];
  };
  const behaviour = ofKind(outcomes, 'behaviour');
  const files = [...new Set(behaviour.map(({ mutant }) => mutant.file))];
  const kinds = (['behaviour', 'own', 'told'] as const).filter(kind => ofKind(outcomes, kind).length > 0);
  return {
    title: 'Mutants',
    note: 'By file those of behaviour. A timeout counts as caught; what nothing runs does not, and what was noticed elsewhere does not.',
    columns: ['file', 'mutants', 'killed', 'timeout', 'elsewhere', 'survived', 'not run', 'caught'],
    rows: [
      ...files.map(file =>
        row(
          file,
          behaviour.filter(({ mutant }) => mutant.file === file),
        ),
      ),
      ...kinds.map(kind => row(`**${kind}**`, ofKind(outcomes, kind))),
      ...(kinds.length > 1 ? [row('**all**', outcomes)] : []),
    ],
  };
}

export function ofKind(outcomes: readonly Outcome[], kind: Kind): Outcome[] {
  return outcomes.filter(({ mutant }) => mutant.kind === kind);
}

/** The mutants of behaviour that got past both the suite and what was asked besides. */
export function survivorsOf(outcomes: readonly Outcome[]): Mutant[] {
  return ofKind(outcomes, 'behaviour')
    .filter(({ status }) => status === 'survived' || status === 'uncovered')
    .map(({ mutant }) => mutant);
}

/** Where a mutant stands, and the change. */
export function changeOf({ file, line, column, original, replacement }: Mutant): string {
  return `${file}:${line}:${column}\n  - ${short(original)}\n  + ${short(replacement)}`;
}

/** What got past everything, by reason. */
export function reasonTable(survivors: readonly Mutant[]): Table {
  const of = (reason: Reason | undefined) => survivors.filter(mutant => reasonFor(mutant) === reason).length;
  const names = Object.keys(reasons) as Reason[]; // the table pairs each reason with what it says
  return {
    title: 'Not noticed',
    note: 'Mutants of behaviour that nothing noticed, by the reason that known.ts gives.',
    columns: ['reason', 'mutants'],
    rows: [
      ...names.map(reason => [`${reason}: ${reasons[reason]}`, String(of(reason))]),
      ['unexplained', String(of(undefined))],
    ],
  };
}

/** The percentage that the suite caught of what could be noticed at all: without the survivors that are known to be unnoticeable. */
export function noticeableScore(outcomes: readonly Outcome[]): number {
  const behaviour = ofKind(outcomes, 'behaviour');
  const hidden = survivorsOf(outcomes).filter(mutant => {
    const reason = reasonFor(mutant);
    return reason !== undefined && unnoticeable.includes(reason);
  }).length;
  const count = countOf(behaviour);
  return scoreOf({ ...count, mutants: count.mutants - hidden });
}

export function percentage(value: number): string {
  return `${(Math.floor(value * 10) / 10).toFixed(1)} %`;
}

function short(code: string): string {
  const line = code.replace(/\s+/g, ' ');
  return line.length > 140 ? `${line.slice(0, 137)}...` : line;
}
