// One copy of the sources that holds every mutant, to be switched on one at a time. The one place that knows the instrumenter.
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { withoutCasts } from './syntax.js';
import { isWithin, partsOf, wordingIn } from './wording.js';

/** One change of one place of the sources. */
export interface Mutant {
  readonly id: string;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** What kind of change it is, in the instrumenter's words. */
  readonly change: string;
  readonly original: string;
  readonly replacement: string;
  readonly kind: Kind;
  /** The constant or function of the file that it is in. */
  readonly within: string;
}

/** `told`: about documents, or the wording of messages. `own`: about what the document does not know, such as sandboxes and worlds that people write. */
export type Kind = 'behaviour' | 'told' | 'own';

export interface Instrumented {
  readonly mutants: readonly Mutant[];
  /** The sources with their mutants, by file. */
  readonly sources: ReadonlyMap<string, string>;
}

/** Puts every mutant into those sources, of all that are given by file, that `kindOf` has a kind for. The switch is `globalThis.__stryker__.activeMutant`. */
export async function instrument(
  files: ReadonlyMap<string, string>,
  kindOf: (file: string, within?: string) => Kind | undefined,
): Promise<Instrumented> {
  const result = await new Instrumenter(silent).instrument(
    [...files]
      .filter(([name]) => kindOf(name) !== undefined)
      .map(([name, text]) => ({ name, content: withoutCasts(text), mutate: true })),
    { plugins: null, ignorers: [], excludedMutations: [] },
  );
  const told = wordingIn(files);
  const parts = new Map([...files].map(([name, text]) => [name, partsOf(text)]));
  const mutants = result.mutants.map(({ id, fileName, location, mutatorName, replacement }): Mutant => {
    const text = files.get(fileName) ?? '';
    const span = [offsetOf(text, location.start), offsetOf(text, location.end)] as const;
    const within = parts.get(fileName)?.find(part => isWithin(span, [part.span]))?.name ?? '';
    return {
      id,
      file: fileName,
      line: location.start.line + 1,
      column: location.start.column + 1,
      change: mutatorName,
      original: text.slice(...span),
      replacement,
      kind: isWithin(span, told.get(fileName) ?? []) ? 'told' : (kindOf(fileName, within) ?? 'behaviour'),
      within,
    };
  });
  return { mutants, sources: new Map(result.files.map(({ name, content }) => [name, content])) };
}

function offsetOf(text: string, { line, column }: { readonly line: number; readonly column: number }): number {
  let at = 0;
  for (let i = 0; i < line; i += 1) at = text.indexOf('\n', at) + 1;
  return at + column;
}

const off = () => false;
const nothing = () => {};
const silent = {
  isTraceEnabled: off,
  isDebugEnabled: off,
  isInfoEnabled: off,
  isWarnEnabled: off,
  isErrorEnabled: off,
  isFatalEnabled: off,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
};
