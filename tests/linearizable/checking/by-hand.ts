// Short histories written by hand, and the errors found in them.
import { check } from './check.js';
import type { ApiResponse, Asked, Operation, SandboxHistory, Written } from './history.js';

export const CELL = 'link ds/a';
export const FLAG = 'member customers/alice';
export const initial = new Map([
  [CELL, ''],
  [FLAG, 'out'],
]);

export const write = (value: string): Asked => ({ kind: 'write', cell: CELL, value });
export const joining: Asked = { kind: 'swap', cell: FLAG, from: 'out', to: 'in' };
export const leaving: Asked = { kind: 'swap', cell: FLAG, from: 'in', to: 'out' };
export const done = (entry: number): ApiResponse => ({ kind: 'done', entry });
export const missed = (entry: number): ApiResponse => ({ kind: 'missed', entry });
export const saw = (link: string, member = 'out'): ApiResponse => ({
  kind: 'cells',
  cells: new Map([
    [CELL, link],
    [FLAG, member],
  ]),
});

/** An operation from one moment to another; without a response its outcome is unknown. */
export function asking(
  tag: string,
  asked: Asked,
  [began, ended]: readonly [number, number?],
  response?: ApiResponse,
): Operation {
  const outcome = ended === undefined || response === undefined ? {} : { ended, response };
  return { tag, sandbox: 's', by: `lane ${tag}`, asked, began, ...outcome };
}

/** The entries of a journal in order, each with whether it was done, and the versions before and after. */
export function journal(
  ...entries: ReadonlyArray<readonly [tag: string, kind: 'done' | 'missed', before: number]>
): Written[] {
  return entries.map(([tag, kind, before], i) => {
    return { id: i + 1, tag, kind, before, version: before + (kind === 'done' ? 1 : 0) };
  });
}

export function findings(operations: readonly Operation[], written: readonly Written[]): readonly string[] {
  return check([history(operations, written)]).findings;
}

export function history(operations: readonly Operation[], written: readonly Written[]): SandboxHistory {
  return { sandbox: 's', cells: initial, operations, written };
}

export const look: Asked = { kind: 'look' };
