// Alterations of the texts of pages: another title or another body than a replacement should leave, in a form that servers are known for.
import type { HttpRequest } from '../../../../derive/sending/call.js';
import { isObject } from '../../../../domain/form/patch.js';
import { putPage } from '../../../../domain/pages.js';
import type { Page, World } from '../../../../domain/world.js';
import { type Alteration, jsonIn } from './altered-requests.js';

type Replaced = Readonly<Record<'oldText' | 'newText', string>>;
/** The text instead of the right one. */
type Other = (text: string, before: string, replaced: readonly Replaced[]) => string;

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Wrong ways to write a text that changes. */
const ways: ReadonlyArray<readonly [name: string, other: Other]> = [
  [
    'is replaced as a whole only',
    (text, before, replaced) => (replaced.some(one => one.oldText === before) ? text : before),
  ],
  [
    'is replaced at its beginning only',
    (text, before, replaced) => (replaced.some(one => before.startsWith(one.oldText)) ? text : before),
  ],
  ['is the new text alone', (text, _, replaced) => replaced.at(-1)?.newText || text],
  ['is in small letters', text => text.toLowerCase()],
  ['is in capitals', text => text.toUpperCase()],
  ['has a capital first', capitalized],
  ['loses its letters beyond ASCII', text => text.replaceAll(/[^\0-\x7f]/g, '')],
  ['stays where it would have letters beyond ASCII', (text, before) => (/[^\0-\x7f]/.test(text) ? before : text)],
  [
    'is escaped',
    text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  ],
  ['is cut', text => text.slice(0, 12)],
  ['keeps the old text beside the new one', (_, before, replaced) => beside(before, replaced)],
  ['is trimmed', text => text.trim().replaceAll(/ +/g, ' ')],
];

function beside(before: string, replaced: readonly Replaced[]): string {
  return replaced.reduce(
    (text, { oldText, newText }) => (oldText === '' ? text : text.replaceAll(oldText, () => `${newText}${oldText}`)),
    before,
  );
}

/** Of the title or the body of each page whose title or body has changed. */
export const writing = (of: 'title' | 'body'): Alteration[] =>
  ways.map(([name, other]) => ({
    name: `the ${of} ${name}`,
    world: (after, before, request) => changedPages(of, other, after, before, request),
  }));

function changedPages(of: 'title' | 'body', other: Other, after: World, before: World, request: HttpRequest): World {
  const replaced = replacedBy(request);
  let world = after;
  for (const [id, page] of after.pages) {
    const old: Page | undefined = before.pages.get(id);
    if (old === undefined || old[of] === page[of]) continue;
    world = putPage(world, id, { ...page, [of]: other(page[of], old[of], replaced) });
  }
  return world;
}

function replacedBy(request: HttpRequest): Replaced[] {
  const body = jsonIn(request);
  return (Array.isArray(body) ? body : []).flatMap(one => {
    if (!isObject(one)) return [];
    const { oldText, newText } = one;
    return typeof oldText === 'string' && typeof newText === 'string' ? [{ oldText, newText }] : [];
  });
}

/** Wrong names of a copied space. */
const names: ReadonlyArray<readonly [name: string, other: (right: string, source: string, key: string) => string]> = [
  ['its key', (_, __, key) => key],
  ['that of its source', (_, source) => source],
  ['cut at a space', right => right.split(' ')[0] ?? ''],
  ['without letters beyond ASCII', right => right.replaceAll(/[^\0-\x7f]/g, '')],
];

export const ofCopiedNames: readonly Alteration[] = names.map(([name, other]) => ({
  name: `the name of a copy is ${name}`,
  world: (after, before, { path }) => {
    const key = new URLSearchParams(path.split('?')[1]).get('sourceSpaceKey') ?? '';
    const source = before.spaces.get(key)?.name ?? '';
    const spaces = after.spaces.map((space, own) =>
      before.spaces.has(own) ? space : { ...space, name: other(space.name, source, own) },
    );
    return { ...after, spaces };
  },
}));
