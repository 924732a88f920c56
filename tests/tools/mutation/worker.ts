// Tries mutants, one after another, in a process of its own: each on a copy of the subject that is loaded anew, until something fails.
// Asked over IPC. An endless loop stops the whole process: who asks has to keep the time.
import { pathToFileURL } from 'node:url';

/** What mutants have to get past. */
export interface Suite<S> {
  readonly names: readonly string[];
  /** Why a subject fails one piece of the suite; `undefined` where it does not. */
  failure(name: string, subject: S): Promise<string | undefined>;
}

export type Question =
  /** Which mutants does a piece run, with none switched on? */
  | { readonly covered: string }
  /** Which of these pieces, in their order, is the first to fail? */
  | { readonly mutant: string; readonly names: readonly string[] };

export interface Reply {
  /** `throws`: no answer was judged, the subject broke down. */
  readonly failure?: { readonly name: string; readonly says: string; readonly throws?: true };
  /** Mutants whose place is run when the subject is loaded, and by the piece itself. */
  readonly loaded?: readonly string[];
  readonly played?: readonly string[];
  /** Milliseconds. */
  readonly took: number;
}

interface Switch {
  activeMutant?: string;
  currentTestId?: string;
  mutantCoverage?: {
    readonly static: Record<string, number>;
    readonly perTest: Record<string, Record<string, number>>;
  };
}

let loads = 0;

async function answer(question: Question, subjectFile: string, suite: Suite<unknown>): Promise<Reply> {
  const started = performance.now();
  const state: Switch = 'mutant' in question ? { activeMutant: question.mutant } : {};
  Object.assign(globalThis, { __stryker__: state });
  const names = 'mutant' in question ? question.names : [question.covered];
  const failure = await firstFailure(names, subjectFile, suite, state);
  const coverage = state.mutantCoverage;
  return {
    ...(failure !== undefined && { failure }),
    loaded: Object.keys(coverage?.static ?? {}),
    played: Object.values(coverage?.perTest ?? {}).flatMap(Object.keys),
    took: performance.now() - started,
  };
}

async function firstFailure(
  names: readonly string[],
  subjectFile: string,
  suite: Suite<unknown>,
  state: Switch,
): Promise<Reply['failure']> {
  let name = names[0] ?? '';
  try {
    loads += 1;
    const subject: unknown = await import(`${pathToFileURL(subjectFile).href}?load=${loads}`);
    for (name of names) {
      state.currentTestId = name;
      const says = await suite.failure(name, subject);
      if (says !== undefined) return { name, says };
      process.send?.({ passed: name });
    }
    return undefined;
  } catch (error) {
    return { name, says: error instanceof Error ? error.message : String(error), throws: true };
  }
}

const [suiteFile = '', subjectFile = '', ...files] = process.argv.slice(2);
const { open } = (await import(pathToFileURL(suiteFile).href)) as { open(files: readonly string[]): Suite<unknown> }; // the suite is written to this
const suite = open(files);
process.on('message', (question: Question) => {
  void answer(question, subjectFile, suite).then(reply => process.send?.(reply));
});
process.send?.({ names: suite.names });
