// From a project to what mutants are tried with: its mutants, and bundles that need no loader. Writes into one folder only.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../support/processes/bundle.js';
import type { Bundles } from './examiner.js';
import { instrument, type Kind, type Mutant } from './instrument.js';

export interface Project {
  /** Paths of sources, and of `subject` and `suite`, are from here. */
  readonly root: string;
  /** All sources by their paths, so that it can be told who uses what. */
  readonly sources: ReadonlyMap<string, string>;
  /** What mutants of a file, or of a part of it, are about, unless that is told; `undefined`: the file is not mutated. */
  readonly kindOf: (file: string, within?: string) => Kind | undefined;
  /** The file that exports what the suite takes hold of. */
  readonly subject: string;
  /** The file that exports `open`, which gives a `Suite`. */
  readonly suite: string;
  /** What the suite is opened with. */
  readonly files: readonly string[];
  /** The folder for the bundles. Packages are looked up from there. */
  readonly out: string;
}

export async function prepare(
  project: Project,
): Promise<{ readonly mutants: readonly Mutant[]; readonly bundles: Bundles }> {
  const { root, out, files } = project;
  const { mutants, sources } = await instrument(project.sources, project.kindOf);
  const replaced = new Map([...sources].map(([file, text]) => [join(root, file), text]));
  mkdirSync(out, { recursive: true });
  const bundles = { worker: join(out, 'worker.mjs'), suite: join(out, 'suite.mjs'), subject: join(out, 'subject.mjs') };
  await bundle(join(root, project.subject), bundles.subject, replaced);
  await bundle(join(root, project.suite), bundles.suite);
  await bundle(fileURLToPath(new URL('worker.ts', import.meta.url)), bundles.worker);
  return { mutants, bundles: { ...bundles, files } };
}
