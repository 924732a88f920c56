// Errors in what users wrote: the one shape in which they are reported, and their places in files.

import { isAbsolute, relative } from 'node:path';
import { type Path, pointerOf } from '../../domain/json/json-pointer.js';

/** One error in a file, a request or a parameter. */
export interface ValidationError {
  /** What was found, what is allowed, and the nearest valid name. */
  readonly message: string;
  /** JSON pointer to the wrong part; of a query, the name of the parameter. */
  readonly pointer?: string;
  /** Absolute path; if there is no such file, its name; '' if no file is meant, as for an unknown scenario. */
  readonly file?: string;
  /** From 1; 0 if the error has no place in the file. */
  readonly line?: number;
  readonly column?: number;
  /** JSON pointer to the place that refers to a removed record. */
  readonly referrer?: string;
}

/** An error in a file, with its place. */
export type Problem = Required<Omit<ValidationError, 'referrer'>>;

export interface Problems {
  readonly problems: readonly Problem[];
}

/** An error in a value, before its place in a file is known. */
export interface ValueError {
  readonly path: Path;
  readonly message: string;
  /** Whether the key or its value is wrong. Default: the value. */
  readonly of?: 'key' | 'value';
  /** The place that refers to a removed record. */
  readonly referrer?: Path;
}

/** An error of a key. */
export function keyError(path: Path, message: string): ValueError {
  return { path, of: 'key', message };
}

/** An error in a value by its pointer. */
export function located({ path, message, referrer }: ValueError): ValidationError & { readonly pointer: string } {
  return { pointer: pointerOf(path), message, ...(referrer && { referrer: pointerOf(referrer) }) };
}

/** More errors are not listed. */
export const MAX_PROBLEMS = 100;
export const MORE_PROBLEMS = `Only the first ${MAX_PROBLEMS} problems are listed.`;

export function isProblems(value: object): value is Problems {
  return 'problems' in value;
}

/** A problem without a place in a file. */
export function problemWith(file: string, message: string): Problem {
  return { file, line: 0, column: 0, message, pointer: '' };
}

/** `file:line:column: message`; a file below the working directory by its relative path. */
export function showProblem({ file, line, column, message }: Problem): string {
  if (file === '') return message;
  const name = seenPath(file);
  return line === 0 ? `${name}: ${message}` : `${name}:${line}:${column}: ${message}`;
}

/** The path relative to the working directory if the file is below it, else the path itself. */
export function seenPath(file: string): string {
  const seen = isAbsolute(file) ? relative(process.cwd(), file) : file;
  return seen === '' || seen.startsWith('..') || isAbsolute(seen) ? file : seen;
}

/** Problems in the order of their places, each once, at most `MAX_PROBLEMS`. */
export function sortedProblems(problems: readonly Problem[]): readonly Problem[] {
  const files = [...new Set(problems.map(({ file }) => file))];
  const rank = new Map(files.map((file, i) => [file, i]));
  const each = [...new Map(problems.map(problem => [showProblem(problem), problem])).values()];
  const sorted = each.sort(
    (a, b) => (rank.get(a.file) ?? 0) - (rank.get(b.file) ?? 0) || a.line - b.line || a.column - b.column,
  );
  const last = sorted[MAX_PROBLEMS - 1];
  if (sorted.length <= MAX_PROBLEMS || last === undefined) return sorted;
  return [...sorted.slice(0, MAX_PROBLEMS), problemWith(last.file, MORE_PROBLEMS)];
}
