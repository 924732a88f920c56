// Where fixtures and scenarios are: finds the file of a name in the user's folders, then in the shipped ones, and never outside them.
import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';

/** In order: the first folder that has the name wins. */
export interface Folders {
  readonly fixtures: readonly string[];
  readonly scenarios: readonly string[];
  /** Maximum bytes of a file. Default: 8 MiB. */
  readonly largest?: number;
  /** Whether the fake serves the REST APIs of Confluence and Jira, so that no stub answers there. Default: true. */
  readonly restApi?: boolean | undefined;
}

/** Whether a running server loads for a request: then files and recipes are smaller. */
export function isForRunningServer({ largest }: Folders): boolean {
  return largest !== undefined;
}

/** The given folders, or `fixtures` and `scenarios` of a directory if they exist; then the shipped ones. */
export function defaultFolders(
  cwd: string,
  options: {
    readonly fixtures?: string | undefined;
    readonly scenarios?: string | undefined;
    readonly restApi?: boolean | undefined;
  } = {},
): Folders {
  const shipped = packageRoot();
  const lookUp = (kind: 'fixtures' | 'scenarios'): string[] => {
    const own = resolve(cwd, options[kind] ?? kind);
    return [...new Set([...(options[kind] !== undefined || existsSync(own) ? [own] : []), join(shipped, kind)])];
  };
  const { restApi = true } = options;
  return { fixtures: lookUp('fixtures'), scenarios: lookUp('scenarios'), restApi };
}

/** Single cases lie in this subfolder. They have plain names, as if they lay beside the demos. */
const CASES = 'cases';

const NAME = /^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/;
const ENDINGS = ['.yaml', '.yml'];

/** Whether a text can be the name of a fixture or scenario: segments of plain characters without `..`. */
export function isName(text: string): boolean {
  return text.length <= 200 && NAME.test(text) && !text.split('/').some(segment => segment === '.' || segment === '..');
}

export type FoundFile =
  | { readonly file: string }
  | { readonly missing: true }
  /** The name is invalid, or leads out of its folder. */
  | { readonly outside: true };

/** The file of a name; `except` is skipped, so that a file can extend another of the same name. */
export function findNamed(name: string, folders: readonly string[], except?: string): FoundFile {
  if (!isName(name)) return { outside: true };
  for (const folder of folders) {
    for (const path of name.includes('/') ? [name] : [name, `${CASES}/${name}`]) {
      for (const ending of ENDINGS) {
        const file = join(folder, `${path}${ending}`);
        const real = realPath(file);
        if (real === undefined && isThere(file)) return { file }; // a broken link, which reading reports
        if (real === undefined || file === except) continue;
        return real.startsWith(`${realPath(folder) ?? folder}${sep}`) ? { file } : { outside: true };
      }
    }
  }
  return { missing: true };
}

/** Whether a file is a single case, not a demo. */
export function isCase(file: string): boolean {
  return basename(dirname(file)) === CASES;
}

/** The names in the folder that `like` would be in; '' for the top level with its cases. Sorted. */
export function namesBeside(like: string, folders: readonly string[]): string[] {
  const at = isName(like) ? like.slice(0, like.lastIndexOf('/') + 1) : '';
  const places = folders.flatMap(folder => (at === '' ? [folder, join(folder, CASES)] : [join(folder, at)]));
  const names = places.flatMap(place =>
    filesIn(place).flatMap(file => {
      const ending = ENDINGS.find(other => file.endsWith(other));
      return ending !== undefined && isName(file) ? [`${at}${file.slice(0, -ending.length)}`] : [];
    }),
  );
  return [...new Set(names)].sort();
}

/** Whether a file is in one of these folders, at any depth. */
export function liesIn(file: string, folders: readonly string[]): boolean {
  const real = realPath(file) ?? resolve(file);
  return folders.some(folder => real.startsWith(`${realPath(folder) ?? resolve(folder)}${sep}`));
}

/** The folder of this package with the shipped files, both for sources and for dist. */
export function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'contracts/openapi.json'))) {
    const above = dirname(folder);
    if (above === folder)
      throw new Error(
        `cwx-fake does not find its folders fixtures, scenarios and contracts in ${import.meta.dirname} or above: leave the package out of the bundle, as with esbuild --external:cwx-fake`,
      );
    folder = above;
  }
  return folder;
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // it does not exist or is a cycle of links: reading it reports that
  }
}

/** The scenarios and fixtures directly in a folder, as paths. Sorted. */
export function yamlFilesIn(folder: string): string[] {
  return filesIn(folder)
    .filter(file => ENDINGS.some(ending => file.endsWith(ending)))
    .sort()
    .map(file => join(folder, file));
}

/** Whether there is something at a path, even if it is a link to nothing. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // there is no access to its folder
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => !entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return []; // no such folder
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // it does not exist
  }
}
