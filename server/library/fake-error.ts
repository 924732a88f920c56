// What goes wrong between a program and the fake that it has started: an error with every problem in it. Knows no source of problems but files.
import { type Problem, showProblem } from '../scenario/yaml/problem.js';

/** One thing that is wrong, with its place where it has one. */
export interface FakeProblem {
  readonly message: string;
  /** JSON pointer into what was given, or into the file. */
  readonly pointer?: string;
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  readonly column?: number;
}

/** Something that a fake was given cannot be taken. The message tells every problem; `problems` are the same as data. */
export class FakeError extends Error {
  override readonly name = 'FakeError';
  readonly problems: readonly FakeProblem[];

  /** `what` cannot be done, in a few words without a full stop. */
  constructor(what: string, problems: readonly FakeProblem[], options?: ErrorOptions) {
    super([`${what}:`, ...problems.map(told)].join('\n  '), options);
    this.problems = problems;
  }
}

/** The same for files that do not load: each problem with its file, line and column. */
export function fileProblems(problems: readonly Problem[]): FakeProblem[] {
  return problems.map(problem => {
    const { file, line, column, pointer } = problem;
    return { message: showProblem(problem), pointer, file, ...(line > 0 && { line, column }) };
  });
}

function told({ message, pointer, file }: FakeProblem): string {
  return file === undefined && pointer !== undefined && !message.startsWith(pointer)
    ? `${pointer} ${message}`
    : message;
}
