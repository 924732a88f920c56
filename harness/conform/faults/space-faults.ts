// Faults of the operations on spaces: section 4.4 of the document. Links of a sidebar and admins of a space cannot be seen by REST.
import { Set as PSet } from 'immutable';
import { isObject } from '../../../server/domain/form/patch.js';
import { pagesOf, pageTitled, putPage, removePage } from '../../../server/domain/world/pages.js';
import type { Page } from '../../../server/domain/world/world.js';
import {
  accepts,
  at,
  both,
  breaking,
  fieldsOf,
  hasBody,
  isMistyped,
  isText,
  makes,
  not,
  onlyFirst,
  reads,
  readsQuery,
  refuses,
  remembers,
  type When,
} from './fault-changes.js';
import type { Asked, Change, ServerFault } from './server-fault.js';

const linking = at('spaces/add-sidebar-link');
const copying = at('spaces/copySpace');
const checking = at('spaces/isUnique');
const replacing = at('spaces/replaceInPage');
const parameter = ({ query }: Asked, name: string) => query.get(name) ?? '';
const withoutAdmin: When = asked => asked.query.has('targetSpaceAdmin') && parameter(asked, 'targetSpaceAdmin') === '';
const removingAdmin: When = asked => parameter(asked, 'removeAdminPermissions').toLowerCase() === 'true';
const keeping: When = asked => copying(asked) && parameter(asked, 'keepPagesMetadata').toLowerCase() === 'true';
const lacksSpace = ({ world }: Asked, key: unknown) => isText(key) && !world.spaces.has(key);
const linkMistyped = both(linking, isMistyped({ spaceKey: 'text', label: 'text', url: 'text' }));

/** Makes other pages in a space that has been copied; `undefined`: no page. */
function copiesPages(change: (page: Page, source: Page, i: number) => Page | undefined, when = copying): Change {
  return makes(both(copying, when), (after, asked) => {
    const sources = pagesOf(asked.world, parameter(asked, 'sourceSpaceKey'));
    return pagesOf(after, parameter(asked, 'targetSpaceKey')).reduce((world, [id, page], i) => {
      const made = change(page, sources[i]?.[1] ?? page, i);
      return made === undefined ? removePage(world, id) : putPage(world, id, made);
    }, after);
  });
}

/** Has another value of a parameter that is there. */
const takes = (when: When, name: string, value: (asked: Asked) => string | undefined) =>
  readsQuery(
    both(when, ({ query }) => query.has(name)),
    (query, asked) => query.set(name, value(asked) ?? parameter(asked, name)),
  );
const titles = (title: (asked: Asked) => string | undefined) => takes(copying, 'targetSpaceTitle', title);
const takesKept = (change: (isKept: boolean) => boolean) =>
  takes(copying, 'keepPagesMetadata', asked => {
    const sent = parameter(asked, 'keepPagesMetadata');
    return /^(?:true|false)$/i.test(sent) ? String(change(sent.toLowerCase() === 'true')) : sent;
  });

/** Keeps only some of the metadata of copied pages. */
const keepsOf = (kept: (source: Page) => Partial<Page>): Change => ({
  ...takes(keeping, 'keepPagesMetadata', () => 'false'),
  ...copiesPages((page, source) => ({ ...page, ...kept(source) }), keeping),
});

/** Looks for another key and name. */
const FREE = ['NoSuchSpaceEver', 'No such space ever'] as const;
const looksFor = (space: (asked: Asked) => readonly [key: string, name: string] | undefined) =>
  readsQuery(
    both(checking, ({ query }) => query.has('spaceKey') && query.has('spaceName')),
    (query, asked) => {
      const [key, name] = space(asked) ?? [parameter(asked, 'spaceKey'), parameter(asked, 'spaceName')];
      query.set('spaceKey', key);
      query.set('spaceName', name);
    },
  );
const spaceWhere = ({ world }: Asked, isMeant: (name: string) => boolean) =>
  [...world.spaces].filter(([, { name }]) => isMeant(name)).map(([key, { name }]) => [key, name] as const)[0];

interface Pair {
  readonly oldText: string;
  readonly newText: string;
}
const isPair = (value: unknown): value is Pair =>
  isObject(value) && isText(value.oldText) && isText(value.newText) && value.oldText !== '';
const pairsIn = ({ json }: Asked): Pair[] => (Array.isArray(json) ? json.filter(isPair) : []);
const isMistypedPair = isMistyped({ oldText: 'text', newText: 'text' });
const isMistypedList: When = ({ json = null }) =>
  json !== null && (!Array.isArray(json) || json.some(one => isMistypedPair({ json: one })));
const pageMeant = (asked: Asked) =>
  pageTitled(asked.world, parameter(asked, 'spaceKey'), parameter(asked, 'pageTitle'));
const lacksPage: When = asked =>
  asked.query.has('spaceKey') && asked.query.has('pageTitle') && pageMeant(asked) === undefined;

/** Replaces other pairs. */
const replacesPairs = (change: (list: readonly unknown[]) => readonly unknown[]) =>
  reads(replacing, json => (Array.isArray(json) ? change(json) : json));
const eachPair = (change: (pair: Pair) => unknown) =>
  replacesPairs(list => list.map(one => (isPair(one) ? change(one) : one)));

/** Makes another page of the one in which text has been replaced; `before`: how it was. */
function leavesPage(change: (after: Page, before: Page, asked: Asked) => Partial<Page>): Change {
  return makes(replacing, (after, asked) => {
    const id = pageMeant(asked) ?? '';
    const before = asked.world.pages.get(id);
    const page = after.pages.get(id);
    if (before === undefined || page === undefined) return after;
    const made = { ...page, ...change(page, before, asked) };
    return made.title === page.title && made.body === page.body ? after : putPage(after, id, made);
  });
}

type Find = (oldText: string) => RegExp;
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const literally: Find = text => new RegExp(escaped(text), 'g');
const asPattern: Find = text => {
  try {
    return new RegExp(text, 'g');
  } catch {
    return literally(text);
  }
};
const replaced = (text: string, find: Find, asked: Asked) =>
  pairsIn(asked).reduce((made, { oldText, newText }) => made.replace(find(oldText), () => newText), text);

/** Finds texts by patterns of its own. Where these find the same, the readings of a correct server decide. */
const findsBy = (find: Find) =>
  leavesPage((after, before, asked) => {
    const made = (text: string, right: string) => {
      const other = replaced(text, find, asked);
      return other === '' || other === replaced(text, literally, asked) ? right : other;
    };
    return { title: made(before.title, after.title), body: made(before.body, after.body) };
  });
/** The last newText whose oldText stood there, if the text was changed. */
const wholly = (before: string, after: string, asked: Asked) =>
  before === after ? after : (pairsIn(asked).findLast(({ oldText }) => before.includes(oldText))?.newText ?? after);

export const spaceFaults: readonly ServerFault[] = [
  ...breaking('spaces.sidebar-link', {
    'reports success for a sidebar link with fields of the wrong type': accepts(linkMistyped),
    'reports success for a sidebar link in a space that does not exist': accepts(
      both(linking, asked => lacksSpace(asked, fieldsOf(asked).spaceKey)),
    ),
  }),

  ...breaking('spaces.copy', {
    'creates the new space without the pages of the source': copiesPages(() => undefined),
    'copies pages without their text': copiesPages(page => ({ ...page, body: '' })),
    'prefixes the titles of copied pages': copiesPages(page => ({
      ...page,
      title: `Copy of ${page.title}`,
    })),
    'moves the pages out of the source instead of copying them': makes(copying, (after, asked) =>
      pagesOf(asked.world, parameter(asked, 'sourceSpaceKey')).reduce((world, [id]) => removePage(world, id), after),
    ),
    'uses the key of the new space as its title': titles(asked => parameter(asked, 'targetSpaceKey')),
    'gives the new space the title of the source': titles(
      asked => asked.world.spaces.get(parameter(asked, 'sourceSpaceKey'))?.name,
    ),
    'reports success for a copy of a space that does not exist': accepts(
      both(copying, asked => lacksSpace(asked, asked.query.get('sourceSpaceKey'))),
    ),
  }),
  ...breaking('spaces.copy-query-only', {
    'lets fields of a body override the query parameters of a copy': readsQuery(copying, (query, asked) => {
      for (const [name, value] of Object.entries(fieldsOf(asked)))
        if (query.has(name) && ['string', 'boolean'].includes(typeof value)) query.set(name, String(value));
    }),
    'requires a body for a copy': refuses(both(copying, not(hasBody))),
  }),
  ...breaking('spaces.copy-default-admin', {
    'refuses a copy with an empty targetSpaceAdmin': refuses(both(copying, withoutAdmin)),
    'copies no pages if targetSpaceAdmin is empty': copiesPages(() => undefined, withoutAdmin),
  }),
  ...breaking('spaces.copy-remove-admin', {
    'refuses a copy with removeAdminPermissions': refuses(both(copying, removingAdmin)),
    'copies no pages with removeAdminPermissions': copiesPages(() => undefined, removingAdmin),
  }),
  ...breaking('spaces.copy-keep-metadata', {
    'never keeps the authors and dates of copied pages': takesKept(() => false),
    'always keeps the authors and dates of copied pages': takesKept(() => true),
    'keeps metadata only if keepPagesMetadata is false': takesKept(isKept => !isKept),
    'keeps authors of copied pages without dates': keepsOf(({ author, updatedBy }) => ({
      author,
      updatedBy,
    })),
    'keeps dates of copied pages without authors': keepsOf(({ created, updated }) => ({
      created,
      updated,
    })),
  }),

  ...breaking('spaces.is-unique', {
    'reports that no space exists, whatever the key and the name': looksFor(() => FREE),
    'reports that the space exists, whatever the key and the name': looksFor(asked => spaceWhere(asked, () => true)),
    'looks only at the name when it checks whether a space exists': looksFor(
      asked => spaceWhere(asked, name => name === parameter(asked, 'spaceName')) ?? FREE,
    ),
    'keeps reporting what it first found for a key and a name': remembers(
      checking,
      ({ query }) => `${query}`,
      'first',
      (_, first) => first,
    ),
    'creates the space when it checks whether one exists': makes(checking, (after, asked) => {
      const [key, name] = [parameter(asked, 'spaceKey'), parameter(asked, 'spaceName')];
      if (key === '' || after.spaces.has(key)) return after;
      return { ...after, spaces: after.spaces.set(key, Object.freeze({ name, admins: PSet<string>(), sidebar: [] })) };
    }),
  }),

  ...breaking('spaces.replace-list', {
    'replaces only the first pair of the list': replacesPairs(onlyFirst),
    'refuses several pairs': refuses(both(replacing, asked => pairsIn(asked).length > 1)),
    'replaces newText by oldText': eachPair(one => ({ oldText: one.newText, newText: one.oldText })),
    'reads the list from a field replacements and refuses it as the body': reads(replacing, json =>
      isObject(json) && Array.isArray(json.replacements) ? json.replacements : {},
    ),
    'accepts a single pair instead of a list': reads(replacing, json => (isPair(json) ? [json] : json)),
    'reports success for a mistyped list': accepts(both(replacing, isMistypedList)),
    'refuses an empty newText': refuses(both(replacing, asked => pairsIn(asked).some(({ newText }) => newText === ''))),
    'finds oldText in any case': findsBy(text => new RegExp(escaped(text), 'gi')),
    'replaces only whole words': findsBy(text => new RegExp(`(?<!\\w)${escaped(text)}(?!\\w)`, 'g')),
    'trims oldText and newText': eachPair(({ oldText, newText }) => ({
      oldText: oldText.trim() || oldText,
      newText: newText.trim(),
    })),
  }),
  ...breaking('spaces.replace-body', {
    'takes oldText for a regular expression': findsBy(asPattern),
    'gives dollar signs in newText a meaning': eachPair(({ oldText, newText }) => ({
      oldText,
      newText: newText.replace(/\$([$&])/g, (_, sign) => (sign === '$' ? '$' : oldText)),
    })),
    'never replaces text in the body of the page': leavesPage((_, { body }) => ({ body })),
    'leaves the body as it is when the title changes': leavesPage((after, { title, body }) =>
      after.title === title ? {} : { body },
    ),
    'replaces the whole body of the page by newText': leavesPage((after, before, asked) => ({
      body: wholly(before.body, after.body, asked),
    })),
    'reports success for a page that does not exist': accepts(
      both(replacing, asked => Array.isArray(asked.json) && asked.json.every(isPair), lacksPage),
    ),
    'replaces text in the first page of the space, whatever the title': takes(
      replacing,
      'pageTitle',
      asked => pagesOf(asked.world, parameter(asked, 'spaceKey'))[0]?.[1].title,
    ),
  }),
  ...breaking('spaces.replace-title', {
    'never replaces text in the title of the page': leavesPage((_, { title }) => ({ title })),
    'leaves the title as it is when the body changes': leavesPage((after, { title, body }) =>
      after.body === body ? {} : { title },
    ),
    'replaces the whole title of the page by newText': leavesPage((after, before, asked) => ({
      title: wholly(before.title, after.title, asked) || after.title,
    })),
  }),
];
