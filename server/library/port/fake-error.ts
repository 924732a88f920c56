// The error of the library, with all problems.
import { type ActionProblem, lineOf, NO_SANDBOX } from '../../control/actions/action.js';
import { Unreachable } from '../../scenario/play/target.js';
import { type Problem, showProblem, type ValidationError } from '../../scenario/yaml/problem.js';

/** Invalid input, or a failed action. The message contains all problems; `problems` has them as data. */
export class FakeError extends Error {
  override readonly name = 'FakeError';

  /** Compared by name: the port to a fake elsewhere is loaded on demand, and some loaders then load this file twice. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    return error instanceof Error && error.name === 'FakeError';
  }

  /** `what`: a short sentence without a full stop. `status`: that of the same error over HTTP. */
  constructor(
    what: string,
    readonly problems: readonly ValidationError[],
    options?: ErrorOptions,
    readonly status?: number,
  ) {
    super(
      [`${what}:`, ...problems.map(one => (one.file === undefined ? lineOf(one) : one.message))].join('\n  '),
      options,
    );
  }
}

/** A refused action as an error; further members are its cause. */
export function failureOf({ status, title, detail, problems, more }: ActionProblem): FakeError {
  const each = problems?.map(inFile) ?? detail.split('\n').map(message => ({ message }));
  return new FakeError(title, each, more && { cause: more }, status);
}

/** Whether the sandbox of an action did not exist, and not only what was wanted of it. */
export function isNoSandbox(error: unknown): boolean {
  return error instanceof FakeError && error.status === 404 && error.message.startsWith(NO_SANDBOX);
}

/** The errors of files that do not load, with file, line and column. */
export function fileProblems(problems: readonly Problem[]): ValidationError[] {
  return problems.map(inFile);
}

/** An error with a place in a file names it in its message. */
function inFile(problem: ValidationError): ValidationError {
  const { file, line = 0, column = 0, pointer, message } = problem;
  const place = pointer === undefined ? {} : { pointer };
  if (file === undefined) return { message, ...place };
  const shown = showProblem({ file, line, column, message } as Problem);
  return { message: shown, ...place, file, ...(line > 0 && { line, column }) };
}

/** What a fake was asked for; rejects with `Unreachable` where nobody answered, as a target does. */
export function orUnreachable<T>(asked: Promise<T>): Promise<T> {
  return asked.catch(error => {
    throw error instanceof FakeError && error.cause instanceof Unreachable ? error.cause : error;
  });
}
