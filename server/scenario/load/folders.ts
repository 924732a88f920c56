// Where fixtures and scenarios lie, and how a name becomes a file: the user's folders before the shipped ones, and never a way out of them.
// Reads folders, not files.
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';

/** Looked up in order: a name is found in the first folder that has it. */
export interface Folders {
  readonly fixtures: readonly string[];
  readonly scenarios: readonly string[];
}

/** The given folders, else `fixtures` and `scenarios` of a directory where it has them; then the shipped ones. */
export function defaultFolders(
  cwd: string,
  options: { readonly fixtures?: string | undefined; readonly scenarios?: string | undefined } = {},
): Folders {
  const shipped = packageRoot();
  const lookUp = (kind: keyof Folders): string[] => {
    const own = resolve(cwd, options[kind] ?? kind);
    return [...new Set([...(options[kind] !== undefined || existsSync(own) ? [own] : []), join(shipped, kind)])];
  };
  return { fixtures: lookUp('fixtures'), scenarios: lookUp('scenarios') };
}

const NAME = /^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/;
const ENDINGS = ['.yaml', '.yml'];

/** Whether a text can be the name of a fixture or scenario: segments of plain letters, none of which leads upwards. */
export function isName(text: string): boolean {
  return text.length <= 200 && NAME.test(text) && !text.split('/').some(segment => segment === '.' || segment === '..');
}

export type Found =
  | { readonly file: string }
  | { readonly missing: true }
  /** The name is none, or leads out of its folder. */
  | { readonly outside: true };

/** The file that a name stands for; `except` is passed over, so that a file can build on another of its own name. */
export function findNamed(name: string, folders: readonly string[], except?: string): Found {
  if (!isName(name)) return { outside: true };
  for (const folder of folders) {
    for (const ending of ENDINGS) {
      const file = join(folder, `${name}${ending}`);
      const real = realPath(file);
      if (real === undefined || file === except) continue;
      return real.startsWith(`${realPath(folder) ?? folder}${sep}`) ? { file } : { outside: true };
    }
  }
  return { missing: true };
}

/** The names in the folder of folders that `like` would be in; '' for the names at the top. Sorted. */
export function namesBeside(like: string, folders: readonly string[]): string[] {
  const at = isName(like) ? like.slice(0, like.lastIndexOf('/') + 1) : '';
  const names = folders.flatMap(folder =>
    filesIn(join(folder, at)).flatMap(file => {
      const ending = ENDINGS.find(other => file.endsWith(other));
      return ending !== undefined && isName(file) ? [`${at}${file.slice(0, -ending.length)}`] : [];
    }),
  );
  return [...new Set(names)].sort();
}

/** Whether a file lies in one of these folders, or below it. */
export function liesIn(file: string, folders: readonly string[]): boolean {
  const real = realPath(file) ?? resolve(file);
  return folders.some(folder => real.startsWith(`${realPath(folder) ?? resolve(folder)}${sep}`));
}

/** The folder of this package, with the shipped files: the same whether the code runs as it is written or built into dist. */
export function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'fixtures')) || !existsSync(join(folder, 'package.json'))) {
    const above = dirname(folder);
    if (above === folder) return process.cwd();
    folder = above;
  }
  return folder;
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // nothing is there, or links in a circle: who reads it tells that
  }
}

/** The scenarios and fixtures in a folder and not below it, as paths. Sorted. */
export function yamlFilesIn(folder: string): string[] {
  return filesIn(folder)
    .filter(file => ENDINGS.some(ending => file.endsWith(ending)))
    .sort()
    .map(file => join(folder, file));
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => !entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return []; // no such folder: there is nothing in it
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // nothing is there
  }
}
