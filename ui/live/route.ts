// The current place in the address: `#/sandbox/test-42/requests/17`. Links to it work.
import { signal } from '@preact/signals';

export const views = ['overview', 'world', 'requests', 'readings', 'theatre'] as const;
export type ViewName = (typeof views)[number];

export interface Route {
  /** The address, if it leads nowhere. */
  readonly unknown?: string;
  readonly sandbox: string;
  readonly view: ViewName;
  /** The rest after the view: an entry, a collection and a key, a scenario. */
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
}

const DEFAULT = 'default';

export const route = signal<Route>(routeIn(location.hash));
addEventListener('hashchange', () => {
  route.value = routeIn(location.hash);
});

export function routeIn(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?', 2);
  const [first, sandbox, view, ...rest] = path.split('/').slice(1).map(decoded);
  const isView = (name: string | undefined): name is ViewName => views.some(known => known === name);
  const isKnown = (first ?? '') === '' || (first === 'sandbox' && (view === undefined || isView(view)));
  return {
    ...(!isKnown && { unknown: hash }),
    sandbox: first === 'sandbox' && sandbox ? sandbox : DEFAULT,
    view: isView(view) ? view : 'overview',
    rest: rest.filter(part => part !== ''),
    query: new URLSearchParams(query),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // somebody typed a percent sign
  }
}

type To = Partial<Pick<Route, 'sandbox' | 'view' | 'rest'>> & { readonly query?: Readonly<Record<string, string>> };

/** The address of a place, relative to the current one. */
export function linkTo({ sandbox, view, rest = [], query = {} }: To): string {
  const { sandbox: own, view: shown } = route.peek();
  const path = ['sandbox', sandbox ?? own, view ?? shown, ...rest].map(encodeURIComponent).join('/');
  const search = new URLSearchParams(query).toString();
  return `#/${path}${search === '' ? '' : `?${search}`}`;
}

/** `instead`: replaces the history entry. */
export function goTo(to: To, { instead = false } = {}): void {
  const link = linkTo(to);
  if (link === location.hash) return;
  if (instead) {
    history.replaceState(null, '', link);
    route.value = routeIn(link);
  } else location.hash = link;
}

/** The query that stays at the shown version. */
export function pastQuery(): Record<string, string> {
  const at = route.peek().query.get('at');
  return at === null ? {} : { at };
}
