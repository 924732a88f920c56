// Faults of the operations on spaces: section 4.4 of the document.
import { isObject } from '../../../server/domain/form/patch.js';
import { pagesOf, pageTitled, putPage, removePage } from '../../../server/domain/world/pages.js';
import type { Page } from '../../../server/domain/world/world.js';
import { at, both, breaking, fieldsOf, hasBody, makes, not, reads, readsQuery, refuses } from './fault-changes.js';
import type { Asked, Change, ServerFault } from './server-fault.js';

const copying = at('spaces/copySpace');
const checking = at('spaces/isUnique');
const replacing = at('spaces/replaceInPage');
const parameter = ({ query }: Asked, name: string) => query.get(name) ?? '';

/** Makes other pages in a space that has been copied; `undefined`: no page. */
function copiesPages(change: (page: Page) => Page | undefined): Change {
  return makes(copying, (after, asked) =>
    pagesOf(after, parameter(asked, 'targetSpaceKey')).reduce((world, [id, page]) => {
      const made = change(page);
      return made === undefined ? removePage(world, id) : putPage(world, id, made);
    }, after),
  );
}

/** Makes another page of the one in which text has been replaced; `before`: how it was. */
function leavesPage(change: (after: Page, before: Page) => Partial<Page>): Change {
  return makes(replacing, (after, asked) => {
    const id = pageTitled(asked.world, parameter(asked, 'spaceKey'), parameter(asked, 'pageTitle')) ?? '';
    const before = asked.world.pages.get(id);
    const page = after.pages.get(id);
    if (before === undefined || page === undefined) return after;
    const made = { ...page, ...change(page, before) };
    return made.title === page.title && made.body === page.body ? after : putPage(after, id, made);
  });
}

export const spaceFaults: readonly ServerFault[] = [
  ...breaking('spaces.copy', {
    'creates the new space without the pages of the source': copiesPages(() => undefined),
    'moves the pages out of the source instead of copying them': makes(copying, (after, asked) =>
      pagesOf(asked.world, parameter(asked, 'sourceSpaceKey')).reduce((world, [id]) => removePage(world, id), after),
    ),
  }),
  ...breaking('spaces.copy-query-only', {
    'lets fields of a body override the query parameters of a copy': readsQuery(copying, (query, asked) => {
      for (const [name, value] of Object.entries(fieldsOf(asked)))
        if (query.has(name) && ['string', 'boolean'].includes(typeof value)) query.set(name, String(value));
    }),
    'requires a body for a copy': refuses(both(copying, not(hasBody))),
  }),
  ...breaking('spaces.is-unique', {
    'reports that no space exists, whatever the key and the name': readsQuery(checking, query => {
      if (query.has('spaceKey')) query.set('spaceKey', 'NoSuchSpaceEver');
      if (query.has('spaceName')) query.set('spaceName', 'No such space ever');
    }),
  }),
  ...breaking('spaces.replace-list', {
    'reads the list from a field replacements and refuses it as the body': reads(replacing, json =>
      isObject(json) && Array.isArray(json.replacements) ? json.replacements : {},
    ),
  }),
  ...breaking('spaces.replace-body', {
    'never replaces text in the body of the page': leavesPage((_, { body }) => ({ body })),
    'leaves the body as it is when the title changes': leavesPage((after, { title, body }) =>
      after.title === title ? {} : { body },
    ),
  }),
];
