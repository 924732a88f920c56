// A folder of files for one test, made and thrown away with it.
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Scratch {
  readonly path: string;
  write(file: string, text: string | Buffer): void;
  /** As many editors save: the new text under another name, which then takes the old one's place. */
  replace(file: string, text: string): void;
  remove(file: string): void;
  drop(): void;
}

export function scratch(files: Readonly<Record<string, string>> = {}): Scratch {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'cwx-fake-')));
  const made: Scratch = {
    path,
    write: (file, text) => {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), text);
    },
    replace: (file, text) => {
      const beside = join(path, dirname(file), '.saving~');
      writeFileSync(beside, text);
      renameSync(beside, join(path, file));
    },
    remove: file => rmSync(join(path, file)),
    drop: () => rmSync(path, { recursive: true, force: true }),
  };
  for (const [file, text] of Object.entries(files)) made.write(file, text);
  return made;
}

export function useScratch(files: Readonly<Record<string, string>> = {}): Scratch {
  const folder = {} as Scratch; // complete before each test
  beforeEach(() => void Object.assign(folder, scratch(files)));
  afterEach(() => folder.drop?.());
  return folder;
}

export function useSharedScratch(files: Readonly<Record<string, string>> = {}): Scratch {
  const folder = {} as Scratch; // complete before the first test
  before(() => void Object.assign(folder, scratch(files)));
  after(() => folder.drop?.());
  return folder;
}
