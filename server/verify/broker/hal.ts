// The links of HAL, the form in which a Pact Broker answers. Where a link leads is taken from it, the host never:
// brokers behind proxies name themselves wrongly, and credentials are for the broker that was named alone.
import { isObject } from '../../domain/form/patch.js';
import type { Json } from '../contract.js';

/** The targets of a link, as they are written; none where there is no such link. */
export function hrefs(resource: Json, name: string): readonly string[] {
  const links = resource._links;
  if (!isObject(links)) return [];
  const found = Object.keys(links).find(key => key.toLowerCase() === name.toLowerCase());
  const targets = found === undefined ? [] : [links[found]].flat();
  return targets.flatMap((target: unknown) => {
    const href = isObject(target) ? target.href : target;
    return typeof href === 'string' && href !== '' && URL.canParse(href, 'http://broker') ? [href] : [];
  });
}

/** The target of the first of these links that is there. */
export function href(resource: Json, ...names: readonly string[]): string | undefined {
  return names.flatMap(name => hrefs(resource, name))[0];
}

/** Fills `{provider}` and its like; what is not given stays. */
export function expanded(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? encodeURIComponent(values[name] ?? '') : whole,
  );
}

/** Where a target lies on the broker, below its context path. */
export function placed(target: string, broker: URL): URL {
  const context = broker.pathname.replace(/\/+$/, '');
  const { pathname, search } = new URL(target, `${broker.origin}${context}/`);
  const isBelow = context === '' || pathname === context || pathname.startsWith(`${context}/`);
  const url = new URL(broker.origin);
  url.pathname = isBelow ? pathname : `${context}${pathname}`; // set, not parsed: a path that begins with // is no host
  url.search = search;
  return url;
}
