// The replacing of text in a page, as the model has it.
import type { ModelPage } from '../model-world.js';
import {
  accessTo,
  bodyIn,
  due,
  fieldsIn,
  type Given,
  meant,
  pagesIn,
  permitted,
  queryOf,
  refuse,
  succeeding,
} from './given.js';

export const replaceOperations = {
  'spaces.replace-in-page': {
    method: 'POST',
    path: '/spaces/replaceInPage',
    fields: { query: { spaceKey: 'text', pageTitle: 'text' }, body: [{ oldText: 'text', newText: 'text' }] },
    perform: succeeding(replaceInPage),
  },
};

function replaceInPage(given: Given): void {
  const { world, read, now, caller, happened } = given;
  const [sentKey = '', pageTitle = ''] = queryOf(given, ['spaceKey', 'pageTitle']);
  const spaceKey = meant(given, sentKey, world.spaces);
  const value = bodyIn(given, due(given, [], 'missing-field'));
  if (!Array.isArray(value) || (value.length > 1000 && read('list-limit') === '1000')) refuse(400);
  const sent = (value as unknown[]).map(one =>
    fieldsIn(one, { oldText: 'text', newText: 'text' }, given),
  ) as unknown as Pair[]; // as the shape says
  if (sent.some(({ oldText }) => oldText === '') && read('old-text-empty') === '400') refuse(400);
  given.valid();
  if (!world.spaces.has(spaceKey)) refuse(read('unknown-space'));
  const inside = pagesIn(world, spaceKey).map(([, one]) => one);
  const page = inside.find(({ title }) => title === pageTitle) ?? refuse(read('unknown-page'));
  const [isVisible, isEditable] = accessTo(page, given);
  if (!(isVisible && isEditable) && read('replace-permission') !== 'ignored')
    refuse(read('replace-permission') === '403' && isVisible ? 403 : read('unknown-page'));
  permitted(spaceKey, given, page);
  if (inside.filter(({ title }) => title === pageTitle).length > 1 && read('page-title-shared') === '409') refuse(409);
  const list = sent.filter(({ oldText }) => oldText !== '');
  const found = new Set<number>();
  const body = read('replace-target') === 'markup' ? only(replaced([page.body], list, given, found)) : visibly();
  const title = only(replaced([page.title], list, given, found));
  if (found.size < list.length && read('replace-not-found') === '404') refuse(404);
  const isNone = title === '' || title.length > 255;
  if (title !== page.title && isNone && read('replaced-title') === '400') refuse(400);
  const isSame = (other: ModelPage) =>
    other.title === title ||
    (other !== page &&
      other.title.length === title.length &&
      other.title.toLowerCase() === title.toLowerCase() &&
      read('page-title-case') === 'ignored');
  const isTaken = title !== page.title && inside.some(isSame);
  if (isTaken && read('replace-title-clash') !== 'allow') refuse(read('replace-title-clash'));
  if (body === page.body && title === page.title) return;
  Object.assign(page, { body, title, updatedBy: caller, updated: now, version: page.version + 1 });
  happened();

  function visibly(): string {
    const parts = page.body.split(TAGS);
    const texts = parts.filter((_, i) => i % 2 === 0).map(decoded);
    const changed = replaced(texts, list, given, found);
    return parts
      .map((part, i) => (i % 2 === 1 || changed[i / 2] === texts[i / 2] ? part : encoded(changed[i / 2] ?? '')))
      .join('');
  }
}

const TAGS = /(<!--.*?(?:-->|$)|<!\[CDATA\[.*?(?:\]\]>|$)|<[A-Za-z/!?][^>]*(?:>|$))/s;
const decoded = (text: string) =>
  ['lt <', 'gt >', 'quot "', 'amp &'].reduce((before, pair) => {
    const [name = '', character = ''] = pair.split(' ');
    return before.replaceAll(`&${name};`, character);
  }, text);
const encoded = (text: string) => text.replace(/[&<>]/g, one => `&${{ '&': 'amp', '<': 'lt', '>': 'gt' }[one]};`);
const only = ([text = '']: readonly string[]) => text;

interface Pair {
  readonly oldText: string;
  readonly newText: string;
}

/** `found` collects the indexes in the list whose text was found. */
function replaced(texts: readonly string[], list: readonly Pair[], { read }: Given, found: Set<number>): string[] {
  const most = read('replace-scope') === 'first' ? 1 : Number.POSITIVE_INFINITY;
  const passes = read('replace-order') === 'sequential' ? list.map((_, i) => [i]) : [list.map((_, i) => i)];
  return passes.reduce<string[]>(
    (all, elements) => {
      const left = new Map(elements.map(i => [i, most]));
      return all.map(before => {
        let after = '';
        for (let at = 0; at < before.length; ) {
          const i = elements.find(one => (left.get(one) ?? 0) > 0 && before.startsWith(list[one]?.oldText ?? '', at));
          after += i === undefined ? before[at] : list[i]?.newText;
          at += i === undefined ? 1 : (list[i]?.oldText.length ?? 1);
          if (i !== undefined) left.set(i, (left.get(i) ?? 0) - 1);
          if (i !== undefined) found.add(i);
        }
        return after;
      });
    },
    [...texts],
  );
}
