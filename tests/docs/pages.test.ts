// What every page of the documentation needs: a reader, a next step, a place in the index, valid links, and no untested block.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { expect } from 'chai';
import { packageFolder } from '../support/processes/built.js';
import { blocks, languagesIn, pages } from './markdown.js';

/** The meaning of each block language, and the test that covers it. */
const LANGUAGES: Readonly<Record<string, string>> = {
  console: 'commands.test.ts runs and compares it',
  'shell-session': 'replicas.test.ts runs and compares it',
  ts: 'tests/tools/examples runs and compiles it',
  yaml: 'a file that the commands of its page take',
  yml: 'files.test.ts and replicas.test.ts read it',
  cfg: 'replicas.test.ts runs it',
  dockerfile: 'replicas.test.ts reads it',
  sh: 'files.test.ts reads its commands; ci.sh and replicas.sh are run',
  js: 'files.test.ts or tests/tools/examples runs it',
  python: 'files.test.ts finds it in an example, which copied.test.ts runs',
  java: 'no test compiles it, and its page says so',
  json: 'files.test.ts holds it against the files of the package',
  text: 'a generated page has it',
  '': 'files.test.ts holds it against what is printed',
};

interface Link {
  readonly from: string;
  readonly to: string;
}

const linksIn = ({ path, text }: (typeof pages)[number]): Link[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => ({ from: path, to }));
const links = pages.flatMap(linksIn);
const outside = links.filter(({ to }) => /^[a-z]+:/.test(to));
const inside = links.filter(link => !outside.includes(link));
const { files } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { files: string[] };
const shipped = [...files, 'README.md', 'LICENSE', 'package.json'];

describe('the pages of the documentation', () => {
  it('have at most 650 lines each, and the README 200', () => {
    const lengths = pages.map(({ path, text }) => [path, text.split('\n').length - 1] as const);
    expect(lengths.filter(([path, length]) => length > (path === 'README.md' ? 200 : 650))).to.deep.equal([]);
  });

  for (const { path, text } of pages.filter(page => page.path !== 'README.md'))
    it(`${path} begins with a title and a sentence, and says what comes next`, () => {
      const paragraphs = text.trim().split('\n\n');
      expect(paragraphs[0]).to.match(/^# \S.*$/);
      expect(paragraphs[1]).to.match(/^[A-Z]/);
      expect(paragraphs.at(-1)).to.match(/^Next: /);
    });

  it('are all reached from the index', () => {
    const reached = new Set(['docs/README.md']);
    for (const path of reached) {
      const page = pages.find(candidate => candidate.path === path);
      for (const link of page === undefined ? [] : linksIn(page)) reached.add(targetOf(link).file);
    }
    expect(pages.map(({ path }) => path).filter(path => path !== 'README.md' && !reached.has(path))).to.deep.equal([]);
  });

  it('of the how-to are each in the index itself', () => {
    const index = pages.find(({ path }) => path === 'docs/README.md') ?? expect.fail('there is no index');
    const named = linksIn(index).map(link => targetOf(link).file);
    const own = pages
      .map(({ path }) => path)
      .filter(path => /^docs\/(how-to\/)?[\w-]+\.md$/.test(path) && path !== index.path);
    expect(own.filter(path => !named.includes(path))).to.deep.equal([]);
  });

  it('have no untested block', () => {
    const used = pages.flatMap(({ path, text }) => languagesIn(text).map(language => `${path}: ${language}`));
    expect(used.filter(entry => LANGUAGES[entry.split(': ')[1] ?? ''] === undefined)).to.deep.equal([]);
    const unrun = pages
      .flatMap(({ text }) => blocks(text, 'ts'))
      .filter(text => !/^\/\/ (\S+\.test\.ts: |examples\/)/.test(text));
    expect(unrun).to.deep.equal([]);
    const unnamed = pages.flatMap(({ text }) => [...blocks(text, 'yaml'), ...blocks(text, 'yml')]);
    expect(unnamed.filter(text => !/^# [\w./-]+\.ya?ml/.test(text))).to.deep.equal([]);
  });
});

describe('the links of the documentation', () => {
  it('lead to existing files', () => {
    const dead = inside.filter(link => !existsSync(join(packageFolder, targetOf(link).file)));
    expect(dead).to.deep.equal([]);
  });

  it('lead to existing headings', () => {
    const dead = inside.filter(link => {
      const { file, heading } = targetOf(link);
      return heading !== undefined && !headingsOf(file).includes(heading);
    });
    expect(dead).to.deep.equal([]);
  });

  it('lead to files of the package, so that they work in an installed one', () => {
    const isShipped = (file: string) => shipped.some(place => file === place || file.startsWith(`${place}/`));
    expect(inside.filter(link => !isShipped(targetOf(link).file))).to.deep.equal([]);
  });

  it('use https for other hosts', () => {
    expect(outside.filter(({ to }) => !to.startsWith('https://'))).to.deep.equal([]);
  });
});

function targetOf({ from, to }: Link): { readonly file: string; readonly heading: string | undefined } {
  const [path = '', heading] = to.split('#');
  return { file: path === '' ? from : posix.join(dirname(from), path), heading };
}

/** The headings of a page as GitHub names them in links. */
function headingsOf(file: string): string[] {
  const text = withoutCode(readFileSync(join(packageFolder, file), 'utf8'));
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, code => (code.includes('](') ? '' : code));
}
