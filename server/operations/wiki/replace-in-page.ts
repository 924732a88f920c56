// Replacing text in a page: the fourth row of section 4.4 of the document. Body and title change together or not at all.
import type { Fact } from '../../domain/facts.js';
import { isTitledInOtherCase, LONGEST_TEXT, pagesTitled, pageTitled } from '../../domain/world/pages.js';
import type { Page } from '../../domain/world/world.js';
import { isAdmin, isOpenTo, strangerRefusal, wikiAccess } from '../access.js';
import type { StatementText } from '../document/statement.js';
import type { Reading } from '../gaps/gaps.js';
import { asKey, knownSpace, quoted, titleTaken } from '../lookups.js';
import { MANY, operation, RECORD_TEXT } from '../operation.js';
import { type Asks, callerName } from '../operation-context.js';
import { firstFive, isRefused, type Refused } from '../provenance.js';
import { array, object, string, titled } from '../schema.js';
import {
  type Prepared,
  prepareReplacements,
  type Replacement,
  replaceSequentially,
  replaceSimultaneously,
  type Scope,
} from './replace.js';
import { plainText, type TextParts, visibleText } from './visible-text.js';
import { wikiReplies, wikiSuccess } from './wiki.js';

const replacement = titled(
  'Replacement',
  object(
    { oldText: string('The text to look for; not empty.'), newText: string('What takes its place.') },
    'spaces.replace-list',
    'One replacement.',
  ),
);

/** The end of section 4.4 of the document. */
export const replaceStatements: readonly StatementText[] = [
  [
    'POST spaces/replaceInPage takes the key of a space and the title of a page as query parameters, and a list of texts as the body.',
    {
      rules: ['spaces.replace-list'],
      gaps: ['unknown-space', 'unknown-page', 'page-title-shared', 'old-text-empty', 'unknown-parameter'],
    },
  ],
  [
    'It replaces text in the body of the page.',
    {
      rules: ['spaces.replace-body'],
      gaps: ['replace-target', 'replace-scope', 'replace-order', 'replace-not-found', 'replace-permission'],
    },
  ],
  [
    'It replaces text in the title of the page.',
    {
      rules: ['spaces.replace-title'],
      gaps: ['replace-scope', 'replace-order', 'replace-title-clash', 'page-title-case', 'replaced-title'],
    },
  ],
];

export const replaceInPage = operation({
  id: 'spaces.replace-in-page',
  family: 'wiki',
  summary: 'Replace text in the body and the title of a page',
  method: 'POST',
  path: '/spaces/replaceInPage',
  query: { spaceKey: string('The space of the page.'), pageTitle: string('The title of the page.') },
  body: {
    schema: titled('ReplaceList', array(replacement, 'The replacements, in order.')),
  },
  access: wikiAccess,
  rules: {
    'spaces.replace-list': {
      says: 'The body is a list of pairs of oldText and newText.',
      source: '2, Replace list element; 4.4, fourth row',
    },
    'spaces.replace-body': {
      says: 'The text is replaced in the body of the page.',
      source: '4.4, fourth row',
      effect: true,
    },
    'spaces.replace-title': {
      says: 'The text is replaced in the title of the page.',
      source: '4.4, fourth row',
      effect: true,
    },
  },
  refusals: [
    'unknown-space',
    'unknown-page',
    'page-title-shared',
    'page-not-editable',
    'wiki-not-permitted',
    'old-text-empty',
    'replace-not-found',
    'replaced-title',
    'replace-title-clash',
    'too-much-at-once',
  ],
  gaps: [
    'name-case',
    'unknown-space',
    'unknown-page',
    'page-title-shared',
    'replace-permission',
    'wiki-auth',
    'old-text-empty',
    'replaced-title',
    'replace-target',
    'replace-scope',
    'replace-order',
    'replace-not-found',
    'replace-title-clash',
    'page-title-case',
    'wiki-success',
  ],
  replies: wikiReplies,
  examples: [
    {
      title: 'the name of the project, in body and title',
      as: 'admin',
      query: { spaceKey: 'tmpl', pageTitle: 'Template Home' },
      body: [
        { oldText: 'NAME', newText: 'Apollo' },
        { oldText: 'Template', newText: 'Apollo' },
      ],
      response: { status: 200, body: {} },
    },
  ],
  isHeavy(world, { query }) {
    const { spaceKey = '', pageTitle = '' } = Object.fromEntries(query);
    const page = world.pages.get(pageTitled(world, spaceKey, pageTitle) ?? '');
    return (page?.body.length ?? 0) > MANY * RECORD_TEXT;
  },
  check(given) {
    const empty = given.input.body.flatMap(({ oldText }, i) => (oldText === '' ? [i] : []));
    if (empty.length === 0 || given.reading('old-text-empty') === 'ignored') return undefined;
    const sentences = empty.map(i => `/${i}/oldText is empty: name the text to replace.`);
    return given.refuse('old-text-empty', firstFive(sentences));
  },
  decide(given) {
    const { spaceKey: sent, pageTitle } = given.input.query;
    const spaceKey = asKey(given, sent);
    const space = knownSpace(given, spaceKey);
    if (isRefused(space)) return space;
    const id = pageTitled(given.world, spaceKey, pageTitle);
    const page = id === undefined ? undefined : given.world.pages.get(id);
    const closed = page && closedTo(given, page);
    if (id === undefined || page === undefined || closed === 'hidden') {
      return given.refuse(
        'unknown-page',
        `There is no page with the title ${quoted(pageTitle)} in the space ${quoted(spaceKey)}.`,
      );
    }
    if (closed === 'read-only')
      return given.refuse('page-not-editable', `You are not allowed to edit the page ${quoted(pageTitle)}.`);
    const stranger = strangerRefusal(given, space, page);
    if (stranger !== undefined) return stranger;
    const many = pagesTitled(given.world, spaceKey, pageTitle);
    if (many > 1 && given.reading('page-title-shared') === '409') {
      return given.refuse(
        'page-title-shared',
        `${many} pages of the space ${quoted(spaceKey)} have the title ${quoted(pageTitle)}.`,
      );
    }
    const facts = newText(given, id, page);
    return isRefused(facts) ? facts : given.accept(facts, wikiSuccess(given));
  },
});

/** What restrictions make of a page for the caller (gap replace-permission). */
function closedTo(given: Asks<'replace-permission'>, { view, edit }: Page): 'hidden' | 'read-only' | undefined {
  const isVisible = isAdmin(given) || isOpenTo(given, view);
  if (isVisible && isOpenTo(given, edit)) return undefined;
  const reading = given.reading('replace-permission');
  if (reading === 'ignored') return undefined;
  return reading === '403' && isVisible ? 'read-only' : 'hidden';
}

type Given = Asks<
  | 'replace-target'
  | 'replace-scope'
  | 'replace-order'
  | 'replace-not-found'
  | 'replace-title-clash'
  | 'page-title-case'
  | 'replaced-title',
  'replace-not-found' | 'replaced-title' | 'replace-title-clash' | 'too-much-at-once',
  'spaces.replace-list' | 'spaces.replace-body' | 'spaces.replace-title'
> & { readonly now: string; readonly input: { readonly body: readonly Replacement[] } };

/** Maximum length of a title, if it is checked. */
const LONGEST_TITLE = 255;
const NONE: Replacement = { oldText: '', newText: '' };

/** What became of a text. */
interface Text {
  readonly text: string;
  /** For each element of the list, whether the text has its oldText. */
  readonly found: readonly boolean[];
}

interface Texts {
  readonly body: Text;
  readonly title: Text;
}

/** The fact of the edit, if the text changes; or the refusal. */
function newText(given: Given, id: string, page: Page): Fact[] | Refused {
  const sent = given.input.body;
  given.applies('spaces.replace-list');
  const list = sent.filter(({ oldText }) => oldText !== '');
  const texts = replaced(given, page, list);
  if (texts === undefined)
    return given.refuse(
      'too-much-at-once',
      'These replacements search or produce more text than this fake accepts. Send fewer at a time.',
    );
  const missing = list.findIndex((_, i) => !texts.body.found[i] && !texts.title.found[i]);
  if (missing !== -1 && given.deciding('replace-not-found') === '404') {
    return given.refuse(
      'replace-not-found',
      `/${sent.indexOf(list[missing] ?? NONE)}/oldText ${quoted(list[missing]?.oldText ?? '')} occurs neither in the body nor in the title.`,
    );
  }
  return edit(given, id, page, texts.body.text, texts.title.text);
}

function edit(given: Given, id: string, page: Page, body: string, title: string): Fact[] | Refused {
  if (body !== page.body) given.applies('spaces.replace-body');
  if (title !== page.title) {
    given.applies('spaces.replace-title');
    if ((title === '' || title.length > LONGEST_TITLE) && given.reading('replaced-title') === '400') {
      return given.refuse(
        'replaced-title',
        `The title would have ${title.length} characters: expected 1 to ${LONGEST_TITLE}.`,
      );
    }
    if (isTitleTaken(given, id, page, title) && given.reading('replace-title-clash') !== 'allow') {
      return given.refuse('replace-title-clash', titleTaken(page.space, title));
    }
  }
  if (body === page.body && title === page.title) return [];
  return [{ type: 'page-text-replaced', page: id, title, body, by: callerName(given.caller), at: given.now }];
}

/** Whether another page has the title (gap page-title-case). */
function isTitleTaken(given: Given, id: string, { space }: Page, title: string): boolean {
  if (pageTitled(given.world, space, title) !== undefined) return true;
  return isTitledInOtherCase(given.world, space, title, id) && given.reading('page-title-case') === 'ignored';
}

/** Body and title under the readings of target, scope and order. */
function replaced(given: Given, page: Page, list: readonly Replacement[]): Texts | undefined {
  const target = hasMarkup(page, list) ? given.reading('replace-target') : 'markup';
  const order = list.length > 1 ? given.reading('replace-order') : 'sequential';
  return both(page, prepareReplacements(list), target, given.reading('replace-scope'), order);
}

/** Whether the visible text of a body can differ from its markup, before or after replacing. */
function hasMarkup({ body }: Page, list: readonly Replacement[]): boolean {
  return MARKUP.test(body) || list.some(({ newText }) => MARKUP.test(newText));
}
const MARKUP = /[<>&]/;

function both(
  page: Page,
  prepared: Prepared,
  target: Reading<'replace-target'>,
  scope: Scope,
  order: Reading<'replace-order'>,
): Texts | undefined {
  const replace = order === 'sequential' ? replaceSequentially : replaceSimultaneously;
  const changed = (parts: TextParts | undefined): Text | undefined => {
    const outcome = parts && replace(parts.texts, prepared, scope);
    if (parts === undefined || outcome === undefined) return undefined;
    const text = parts.joined(outcome.texts);
    return text.length > LONGEST_TEXT ? undefined : { text, found: outcome.found };
  };
  const body = changed(target === 'markup' ? plainText(page.body) : visibleText(page.body, prepared.meter));
  const title = body && changed(plainText(page.title));
  return title && { body, title };
}
