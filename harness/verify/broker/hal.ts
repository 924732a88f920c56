// Links of HAL, the format of a Pact Broker. Paths come from the links, the host never: brokers behind proxies give a wrong host, and credentials are
// for the named broker only.
import { isObject } from '../../../server/domain/form/patch.js';
import { parsedUrl, withoutEndingSlashes } from '../../../server/outgoing/parsed-url.js';
import type { Json } from '../contract/contract.js';

/** The target of a link as written, the first if it has several; empty if there is no such link. */
export function href(resource: Json, name: string): string | undefined {
  const links = isObject(resource._links) ? resource._links : {};
  const found = Object.keys(links).find(key => key.toLowerCase() === name.toLowerCase());
  const targets = found === undefined ? [] : [links[found]].flat();
  return targets
    .map((target: unknown) => (isObject(target) ? target.href : target))
    .filter(href => typeof href === 'string')
    .find(href => href !== '' && parsedUrl(href, 'http://broker') !== undefined);
}

/** Fills `{provider}` and other variables; unknown ones stay. */
export function expanded(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? encodeURIComponent(values[name] ?? '') : whole,
  );
}

/** Resolves a target at the broker, below its context path. */
export function placed(target: string, broker: URL): URL {
  const context = withoutEndingSlashes(broker.pathname);
  const { pathname, search } = new URL(target, `${broker.origin}${context}/`);
  const isBelow = context === '' || pathname === context || pathname.startsWith(`${context}/`);
  const url = new URL(broker.origin);
  url.pathname = isBelow ? pathname : `${context}${pathname}`; // assigned, not parsed: a path that begins with // must not become a host
  url.search = search;
  return url;
}
