// One thing that is wrong with a file, and where: what people correct their files by. Knows neither YAML nor schemas.
import { isAbsolute, relative } from 'node:path';

export interface Problem {
  /** Absolute; where no file can be named, what was asked for. */
  readonly file: string;
  /** From 1; 0 where the problem has no place in a file. */
  readonly line: number;
  readonly column: number;
  /** What was found, what is allowed, and the nearest valid name. */
  readonly message: string;
  /** JSON pointer to what is wrong. */
  readonly pointer: string;
}

export interface Problems {
  readonly problems: readonly Problem[];
}

/** The steps to a place in a value. */
export type Path = readonly (string | number)[];

/** Something wrong with a value, wherever the value may be written. */
export interface Flaw {
  readonly path: Path;
  readonly message: string;
  /** Whether the key is wrong, or what stands behind it; left out, the latter. */
  readonly of?: 'key' | 'value';
}

/** More than these help nobody; the number of the others is told. */
export const MOST_PROBLEMS = 100;

/** With so many names or fewer a message lists them. */
export const MOST_LISTED = 12;

export function isProblems(value: object): value is Problems {
  return 'problems' in value;
}

/** A problem without a place in a file. */
export function problemWith(file: string, message: string): Problem {
  return { file, line: 0, column: 0, message, pointer: '' };
}

/** `file:line:column: message`, the file as it is seen from the working directory where it lies below that. */
export function showProblem({ file, line, column, message }: Problem): string {
  const name = seenPath(file);
  return line === 0 ? `${name}: ${message}` : `${name}:${line}:${column}: ${message}`;
}

/** A path as it is seen from the working directory where it lies below that; as it is where not. */
export function seenPath(file: string): string {
  const seen = isAbsolute(file) ? relative(process.cwd(), file) : file;
  return seen === '' || seen.startsWith('..') || isAbsolute(seen) ? file : seen;
}

/** Problems in the order of their places, each once, and no more of them than anyone reads. */
export function inOrder(problems: readonly Problem[]): readonly Problem[] {
  const files = [...new Set(problems.map(({ file }) => file))];
  const rank = new Map(files.map((file, i) => [file, i]));
  const each = [...new Map(problems.map(problem => [showProblem(problem), problem])).values()];
  const sorted = each.sort(
    (a, b) => (rank.get(a.file) ?? 0) - (rank.get(b.file) ?? 0) || a.line - b.line || a.column - b.column,
  );
  const last = sorted[MOST_PROBLEMS - 1];
  if (sorted.length <= MOST_PROBLEMS || last === undefined) return sorted;
  const more = sorted.length - MOST_PROBLEMS;
  return [...sorted.slice(0, MOST_PROBLEMS), problemWith(last.file, `There are ${more} more problems.`)];
}

export function pointerOf(path: Path): string {
  return path.map(step => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function pathOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
