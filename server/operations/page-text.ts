// What becomes of a page's body and title under a list of replacements: both together or neither.
import type { Fact } from '../domain/facts.js';
import { pageTitled } from '../domain/pages.js';
import type { Page } from '../domain/world.js';
import { type Asks, callerName, type Refused } from './case.js';
import { quoted } from './lookups.js';
import { type Replaced, type Replacement, replaceSequentially, replaceSimultaneously, type Scope } from './replace.js';

type Given = Asks<
  'replace-scope' | 'replace-order' | 'replace-not-found' | 'replace-title-clash',
  'old-text-empty' | 'replace-not-found' | 'replace-title-clash' | 'too-much-at-once',
  'spaces.replace-list' | 'spaces.replace-body' | 'spaces.replace-title'
> & { readonly now: string; readonly input: { readonly body: readonly Replacement[] } };

interface Texts {
  readonly body: Replaced;
  readonly title: Replaced;
}

/** The fact of the edit, or none where the text stays as it is; or the refusal. */
export function newText(given: Given, id: string, page: Page): Fact[] | Refused {
  const list = given.input.body;
  given.applies('spaces.replace-list');
  const empty = list.findIndex(({ oldText }) => oldText === '');
  if (empty !== -1) return given.refuse('old-text-empty', `/${empty}/oldText is empty: name the text to replace.`);
  const texts = replaced(given, page, list);
  if (texts === undefined)
    return given.refuse(
      'too-much-at-once',
      'These replacements make or look through more text than one request may: send fewer at a time.',
    );
  const missing = list.findIndex((_, i) => (texts.body.counts[i] ?? 0) + (texts.title.counts[i] ?? 0) === 0);
  if (missing !== -1 && given.reading('replace-not-found') === '404') {
    return given.refuse(
      'replace-not-found',
      `/${missing}/oldText ${quoted(list[missing]?.oldText ?? '')} stands neither in the body nor in the title.`,
    );
  }
  return edit(given, id, page, texts.body.text, texts.title.text);
}

function edit(given: Given, id: string, page: Page, body: string, title: string): Fact[] | Refused {
  if (body !== page.body) given.applies('spaces.replace-body');
  if (title !== page.title) {
    given.applies('spaces.replace-title');
    if (pageTitled(given.world, page.space, title) !== undefined && given.reading('replace-title-clash') !== 'allow') {
      return given.refuse(
        'replace-title-clash',
        `The space ${quoted(page.space)} has another page with the title ${quoted(title)}.`,
      );
    }
  }
  if (body === page.body && title === page.title) return [];
  return [{ type: 'page-text-replaced', page: id, title, body, by: callerName(given.caller), at: given.now }];
}

/** Body and title under the readings of scope and order; each is asked for only where it makes a difference. */
function replaced(given: Given, page: Page, list: readonly Replacement[]): Texts | undefined {
  const outcomes = new Map<string, Texts | undefined>();
  const outcome = (scope: Scope, order: 'sequential' | 'simultaneous') => {
    const key = `${scope} ${order}`;
    if (!outcomes.has(key)) outcomes.set(key, both(page, list, scope, order));
    return outcomes.get(key);
  };
  const orders = list.length > 1 ? (['sequential', 'simultaneous'] as const) : (['sequential'] as const);
  const scopeMatters = orders.some(order => !same(outcome('all', order), outcome('first', order)));
  const scope = scopeMatters ? given.reading('replace-scope') : 'all';
  const orderMatters = orders.length > 1 && !same(outcome(scope, 'sequential'), outcome(scope, 'simultaneous'));
  return outcome(scope, orderMatters ? given.reading('replace-order') : 'sequential');
}

function both(
  page: Page,
  list: readonly Replacement[],
  scope: Scope,
  order: 'sequential' | 'simultaneous',
): Texts | undefined {
  const replace = order === 'sequential' ? replaceSequentially : replaceSimultaneously;
  const body = replace(page.body, list, scope);
  const title = replace(page.title, list, scope);
  return body && title && { body, title };
}

/** Whether two outcomes cannot be told apart: the same text, and the same elements that found nothing. */
function same(a: Texts | undefined, b: Texts | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const foundSame = (x: Replaced, y: Replaced) => x.counts.every((count, i) => (count === 0) === (y.counts[i] === 0));
  return (
    a.body.text === b.body.text &&
    a.title.text === b.title.text &&
    foundSame(a.body, b.body) &&
    foundSame(a.title, b.title)
  );
}
