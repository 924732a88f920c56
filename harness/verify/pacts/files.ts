// Contracts in files and folders.
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fewOf } from '../../../server/derive/text/counted.js';
import { nearest } from '../../../server/engine/nearest.js';
import { isFolder } from '../../../server/scenario/files/folders.js';
import { MAX_BYTES, readText } from '../../../server/scenario/yaml/text.js';
import { contractFound, type Found, finding, problem, together } from './found.js';
import { readPact } from './read-pact.js';

/** The contract in a file; in a folder, those in its `*.json`, and a notice about other files. Files that are not new are left out. */
export function fromPath(path: string, isNew: (identity: string) => boolean): Found {
  if (!isFolder(path)) return isNew(identityOf(path)) ? fromFile(path) : finding({});
  const entries = entriesOf(path);
  if (entries === undefined) return problem(`${path}: The folder is not readable.`);
  const isPact = (name: string) => /\.json$/i.test(name) && !isFolder(join(path, name));
  const others = entries.filter(name => !isPact(name)).map(name => (isFolder(join(path, name)) ? `${name}/` : name));
  const files = entries.filter(isPact).map(name => join(path, name));
  const beside = others.length === 0 ? '' : `, only ${fewOf(others, MAX_LISTED)}`;
  if (files.length === 0) return problem(`${path}: This folder contains no *.json file${beside}.`);
  const notice = `${path}: ${fewOf(others, MAX_LISTED)} skipped: in a folder, only *.json files are read, not subfolders.`;
  const found = files.map(file => fromPath(file, isNew));
  return together([finding({ notices: others.length === 0 ? [] : [notice] }), ...found]);
}

const MAX_LISTED = 5;

function entriesOf(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder).sort();
  } catch {
    return undefined; // reported as an unreadable folder
  }
}

function fromFile(path: string): Found {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_BYTES)
    return problem(`${path}: The file has ${size} bytes, but a pact may have at most ${MAX_BYTES}.`);
  const read = readText(path);
  if ('problem' in read) return problem(`${path}: ${read.problem.replace(/\.$/, '')}${nearHere(path)}.`);
  return contractFound(readPact(read.text, path));
}

/** The nearest existing name, if nothing has this one. */
function nearHere(path: string): string {
  const beside = entriesOf(dirname(path)) ?? [];
  if (beside.includes(basename(path))) return '';
  return nearest(
    path,
    beside.map(name => join(dirname(path), name)),
  );
}

/** Two paths with the same key are the same file. */
function identityOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // the missing file is reported when it is read
  }
}
