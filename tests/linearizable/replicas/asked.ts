// Builds the requests that change a cell, and reads worlds and journals as cells and entries.
import type { WorldForm } from '../../../server/domain/form/form-shapes.js';
import type { JournalEntry } from '../../../server/engine/journal/journal-entry.js';
import type { Change } from '../checking/cell.js';
import type { Cells, Written } from '../checking/history.js';

/** Under these readings every response shows whether the change was done. */
export const readings = {
  'no-change': '409',
  'replace-not-found': '404',
  'sidebar-duplicate': 'replace',
} as const;

const LINKS = ['ds/a', 'ds/b', 'ds/c', 'tmpl/a'];
const PAGES: Readonly<Record<string, readonly [space: string, title: string]>> = {
  '65601': ['ds', 'Welcome'],
  '65701': ['tmpl', 'Template Home'],
};
const MEMBERS = ['customers/alice', 'customers/carol', 'team-members/alice', 'team-members/demouser1'];

export const cellNames: readonly string[] = [
  ...LINKS.map(name => `link ${name}`),
  ...Object.keys(PAGES).map(id => `page ${id}`),
  ...MEMBERS.map(name => `member ${name}`),
];

/** The path below the prefix, with the tag in its query, and the body of the POST. */
export function requestOf(asked: Change, tag: string): { readonly path: string; readonly body: unknown } {
  const [kind, name = ''] = asked.cell.split(' ');
  const [container = '', item = ''] = name.split('/');
  if (asked.kind === 'write')
    return {
      path: `/spaces/add-sidebar-link?n=${tag}`,
      body: { spaceKey: container, label: item, url: asked.value },
    };
  if (kind === 'member')
    return {
      path: `/groups/${asked.to === 'in' ? 'add' : 'remove'}-users?n=${tag}`,
      body: { group: container, users: [item] },
    };
  const [space = '', title = ''] = PAGES[name] ?? [];
  return {
    path: `/spaces/replaceInPage?spaceKey=${space}&pageTitle=${encodeURIComponent(title)}&n=${tag}`,
    body: [{ oldText: asked.from, newText: asked.to }],
  };
}

/** Whether a change was done, by the status of its response. Throws if that is unclear. */
export function kindOf(status: number, text: string): 'done' | 'missed' {
  if (status === 200) return 'done';
  if (status === 409 || status === 404) return 'missed';
  throw new Error(`the response has status ${status}: ${text}`);
}

/** The values of all cells in a world. */
export function cellsIn({ groups, pages, spaces }: WorldForm): Cells {
  const cells = cellNames.map((cell): [string, string] => {
    const [kind, name = ''] = cell.split(' ');
    const [container = '', item = ''] = name.split('/');
    if (kind === 'link') return [cell, spaces[container]?.sidebar.find(({ label }) => label === item)?.url ?? ''];
    if (kind === 'member') return [cell, groups[container]?.includes(item) ? 'in' : 'out'];
    return [cell, (pages[name]?.body ?? '').replace(/^<p>|<\/p>$/g, '')];
  });
  return new Map(cells);
}

export function writtenOf({ id, url, response, before, version }: JournalEntry): Written {
  const tag = new URLSearchParams(url.split('?')[1]).get('n') ?? '';
  return { id, tag, kind: kindOf(response.status, response.body ?? ''), before, version };
}
