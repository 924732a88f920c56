// What goes wrong between a program and a fake: an error with every problem in it.
import type { ActionProblem, ValidationError } from '../control/action.js';
import { Unreachable } from '../scenario/play/target.js';
import { type Problem, showProblem } from '../scenario/yaml/problem.js';

/** Something that a fake was given cannot be taken, or done. The message tells every problem; `problems` are the same as data. */
export class FakeError extends Error {
  override readonly name = 'FakeError';

  /** By its name: what reaches a fake elsewhere is loaded when it is asked for, and there are loaders that load this a second time then. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    return error instanceof Error && error.name === 'FakeError';
  }

  /** `what` cannot be done, in a few words without a full stop. `status`: that of the same answer over HTTP. */
  constructor(
    what: string,
    readonly problems: readonly ValidationError[],
    options?: ErrorOptions,
    readonly status?: number,
  ) {
    super([`${what}:`, ...problems.map(lineOf)].join('\n  '), options);
  }
}

/** An action that was not done, as an error; what else there is to say of it is its cause. */
export function failureOf({ status, title, detail, problems, more }: ActionProblem): FakeError {
  const each = problems?.map(inFile) ?? detail.split('\n').map(message => ({ message }));
  return new FakeError(title, each, more && { cause: more }, status);
}

/** The problems of files that do not load, each with its file, line and column. */
export function fileProblems(problems: readonly Problem[]): ValidationError[] {
  return problems.map(inFile);
}

/** One that has a place in a file says so in its message. */
function inFile(problem: ValidationError): ValidationError {
  const { file, line = 0, column = 0, pointer, message } = problem;
  const place = pointer === undefined ? {} : { pointer };
  if (file === undefined) return { message, ...place };
  const shown = showProblem({ file, line, column, message } as Problem);
  return { message: shown, ...place, file, ...(line > 0 && { line, column }) };
}

function lineOf({ message, pointer, file }: ValidationError): string {
  return file === undefined && pointer !== undefined && !message.startsWith(pointer)
    ? `${pointer} ${message}`
    : message;
}

/** What a fake was asked for; rejects with `Unreachable` where nobody answered, as a target does. */
export function orUnreachable<T>(asked: Promise<T>): Promise<T> {
  return asked.catch(error => {
    throw error instanceof FakeError && error.cause instanceof Unreachable ? error.cause : error;
  });
}
