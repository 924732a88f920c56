// The pages of the documentation as data: code blocks, commands with their outputs, and files.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../support/processes/built.js';

export interface Page {
  /** From the root of the package: `README.md`, `docs/tutorial.md`. */
  readonly path: string;
  readonly text: string;
}

export interface Shown {
  readonly command: string;
  readonly output: string;
}

/** The README and every page below docs/ and examples/, sorted by path. */
export const pages: readonly Page[] = ['README.md', ...pagesIn('docs'), ...pagesIn('examples')].map(path => ({
  path,
  text: readFileSync(join(packageFolder, path), 'utf8'),
}));

function pagesIn(folder: string): string[] {
  return readdirSync(join(packageFolder, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md') && !name.includes('node_modules'))
    .map(name => `${folder}/${name.replaceAll('\\', '/')}`)
    .sort();
}

export function pageAt(path: string): Page {
  const page = pages.find(candidate => candidate.path === path);
  if (page === undefined) throw new Error(`there is no page ${path}`);
  return page;
}

/** The one block of a language on a page that contains a text. */
export function blockWith(path: string, language: string, part: string): string {
  const found = blocks(pageAt(path).text, language).find(block => block.includes(part));
  if (found === undefined) throw new Error(`${path} shows no ${part}`);
  return found;
}

/** The commands of every block of a language, in order, each with the output shown below it. */
export function commandsIn(markdown: string, language = 'console'): Shown[] {
  return blocks(markdown, language).flatMap(block =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map(part => {
        const end = part.indexOf('\n');
        return { command: part.slice(0, end), output: part.slice(end + 1) };
      }),
  );
}

/** The text with the outputs of its `console` blocks replaced, in order. */
export function withOutputs(markdown: string, outputs: readonly string[]): string {
  let next = 0;
  return markdown.replace(/^```console\n([\s\S]*?)^```$/gm, (_, block: string) => {
    const commands = block
      .split(/^\$ /m)
      .slice(1)
      .map(part => part.slice(0, part.indexOf('\n')));
    return `\`\`\`console\n${commands.map(command => `$ ${command}\n${lines(outputs[next++] ?? '')}`).join('')}\`\`\``;
  });
}

/** An output as shown: ending with a newline. */
export function lines(output: string): string {
  return output === '' || output.endsWith('\n') ? output : `${output}\n`;
}

/** The blocks of a language, without their fences. */
export function blocks(markdown: string, language: string): string[] {
  return fenced(markdown).flatMap(block => (block.language === language ? [block.text] : []));
}

/** The languages of all blocks, each once. */
export function languagesIn(markdown: string): string[] {
  return [...new Set(fenced(markdown).map(({ language }) => language))];
}

/** From the top, so that no end of a block counts as the start of the next. */
function fenced(markdown: string): Array<{ readonly language: string; readonly text: string }> {
  return [...markdown.matchAll(/^```([\w-]*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));
}

/** The files on a page: YAML and scripts with their path in the first line, and pacts, which Pact names. */
export function filesIn(markdown: string): Record<string, string> {
  const named = ['yaml', 'yml'].flatMap(language =>
    blocks(markdown, language).map(text => [/^# ([\w./-]+\.ya?ml)/.exec(text)?.[1] ?? '', text] as const),
  );
  const scripts = blocks(markdown, 'sh').map(text => [/^# ([\w.-]+\.sh)\n/.exec(text)?.[1] ?? '', text] as const);
  const pacts = blocks(markdown, 'json')
    .filter(text => text.includes('"consumer"'))
    .map(text => {
      const { consumer, provider } = JSON.parse(text) as Record<'consumer' | 'provider', { name: string }>; // pacts
      return [`pacts/${consumer.name}-${provider.name}.json`, text] as const;
    });
  return Object.fromEntries([...named, ...scripts.filter(([name]) => name !== ''), ...pacts]);
}
