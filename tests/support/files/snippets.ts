// Snippets of code that must compile, or must not and for which reason: one run of the compiler for all of them.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { packageFolder } from '../processes/built.js';

/** The code, the error of the compiler, and what it says. */
export type Wrong<S> = readonly [snippet: S, code: string, says: string];

export interface Snippets<S> {
  readonly right: Readonly<Record<string, S>>;
  readonly wrong: Readonly<Record<string, Wrong<S>>>;
  readonly source: (snippet: S) => string;
}

/** Wrong snippets by their text, which is their title, with code and message in one. */
export function titledByThemselves(wrong: Readonly<Record<string, string>>): Record<string, Wrong<string>> {
  const entries = Object.entries(wrong).map(([snippet, error]): [string, Wrong<string>] => {
    const [code = '', ...says] = error.split(' ');
    return [snippet, [snippet, code, says.join(' ')]];
  });
  return Object.fromEntries(entries);
}

/** A test for each snippet of each set, by the title of the set. `compilerOptions`: over those of the package. */
export function testSnippets<S>(
  sets: Readonly<Record<string, Snippets<S>>>,
  compilerOptions: Readonly<Record<string, unknown>>,
): void {
  const folder = mkdtempSync(join(tmpdir(), 'cwx-fake-types-'));
  let errors: string[] = [];

  before(async () => {
    for (const [set, { right, wrong, source }] of Object.entries(sets)) {
      const snippets = [
        ...Object.entries(right),
        ...Object.entries(wrong).map(([title, [code]]) => [title, code] as const),
      ];
      for (const [title, snippet] of snippets) writeFileSync(join(folder, fileOf(set, title)), source(snippet));
    }
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const config = {
      extends: join(packageFolder, 'tsconfig.json'),
      compilerOptions: { noEmit: true, rootDir: '/', ...compilerOptions },
      include: ['*.ts'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    errors = await compile(folder);
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const [set, { right, wrong }] of Object.entries(sets)) {
    /** Without the names of the files, which repeat the titles. */
    const errorsOf = (title: string) =>
      errors
        .filter(line => line.startsWith(`${fileOf(set, title)}(`))
        .map(line => line.slice(line.indexOf(': error ')));
    describe(set, () => {
      for (const [title, [, code, says]] of Object.entries(wrong)) {
        it(`${title} does not compile (${code})`, () => {
          expect(errorsOf(title), errors.join('\n')).to.have.lengthOf(1);
          expect(errorsOf(title)[0]).to.include(`error ${code}`).and.include(says);
        });
      }

      for (const title of Object.keys(right)) {
        it(`${title} compiles`, () => {
          expect(errorsOf(title)).to.deep.equal([]);
        });
      }
    });
  }

  it('nothing else went wrong', () => {
    expect(errors).to.have.lengthOf(Object.values(sets).flatMap(({ wrong }) => Object.keys(wrong)).length);
  });
}

function fileOf(set: string, title: string): string {
  return `${`${set} ${title}`.replace(/\W+/g, '-')}.ts`;
}

function compile(folder: string): Promise<string[]> {
  const tsc = join(packageFolder, 'node_modules/typescript/bin/tsc');
  return new Promise(resolve => {
    execFile(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { cwd: folder }, (_, stdout, stderr) => {
      const text = `${stdout}${stderr}`.trim();
      resolve(text === '' ? [] : text.split(/\n(?=\S)/));
    });
  });
}
