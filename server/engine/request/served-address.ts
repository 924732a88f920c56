// Whether an address is served under the readings, and what to tell who asked for a path that is none.
import { type Address, CONTEXT, canonicalPrefix, sandboxIn } from '../../operations/address.js';
import { endpoints } from '../../operations/bindings.js';
import { quoted } from '../../operations/lookups.js';
import type { Provenance, Refused } from '../../operations/operation-context.js';
import { nearestName } from '../nearest.js';
import type { Request } from './request.js';

const canonicalPaths = endpoints.map(({ family, path }) => `${canonicalPrefix(family)}${path}`);

/** The refusal of an address that the readings do not serve. The canonical prefix is the document's own as far as it goes; only the others rest on a guess. */
export function checkAddress({ family, prefix, context }: Address, provenance: Provenance): Refused | undefined {
  const served = provenance.peek('context-path');
  if (served !== 'any' && context !== (served === 'none' ? '' : served)) {
    return provenance.refuse(
      'context-not-served',
      `This server ${served === 'none' ? 'has no context path' : `has the context path ${served}`}, and the request has ${context === '' ? 'none' : context}.`,
    );
  }
  const prefixes = provenance.peek('wiki-prefix');
  if (family === 'wiki' && prefixes !== 'any' && prefixes !== prefix) {
    return provenance.refuse(
      'prefix-not-served',
      `The wiki extension is not served below this prefix (wiki-prefix=${prefixes}).`,
    );
  }
  if (family === 'wiki' && prefix !== 'rest') provenance.reading('wiki-prefix');
  provenance.applies(context === '' ? 'address.no-context-path' : 'address.context-path');
  provenance.applies(family === 'wiki' ? 'address.extension-path' : 'address.ppf-path');
  return undefined;
}

/** The refusal of a path at which there is nothing, with the path that was probably meant. */
export function refuseUnknownPath(request: Request, provenance: Provenance): Refused {
  const path = request.url.split('?', 1)[0] ?? '';
  if (request.params === undefined && path.includes('%')) {
    return provenance.refuse(
      'undecodable-path',
      `The path ${quoted(path)} has a percent sign that is not followed by the hexadecimal digits of UTF-8 text.`,
    );
  }
  const meant = meantBy(path);
  if (meant === undefined) return provenance.refuse('bad-address', `There is nothing at ${quoted(path)}.`);
  const inAnotherCase = meant.toLowerCase() === path.toLowerCase();
  const rule = path.includes('ppf') ? 'address.ppf-path' : undefined;
  if (inAnotherCase)
    return provenance.refuse(
      'wrong-case',
      `There is nothing at ${quoted(path)}: paths are case-sensitive, and there is ${meant}.`,
    );
  return provenance.refuse('bad-address', `There is nothing at ${quoted(path)}; the nearest path is ${meant}.`, rule);
}

/** The known path nearest to a wrong one: the same but for case and slashes, or for a few letters. */
export function meantBy(wrong: string): string | undefined {
  const { sandbox, path } = sandboxIn(wrong);
  const tidy = path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  const lower = tidy.toLowerCase();
  const base = sandbox === undefined ? '' : `/~${sandbox}`;
  const at = Math.max(lower.lastIndexOf('/rest/'), 0);
  const before = lower.startsWith('/rest/') || at === 0 ? '' : tidy.slice(0, at);
  const context = CONTEXT.test(before) ? before : ''; // of more than one segment it would be served nowhere
  const below = tidy.slice(before.length);
  const page = /^(.*\/permissions\/[^/]+)\/([^/]+)$/i.exec(below);
  const comparable = page ? `${page[1]}/{pageId}` : below;
  const known = nearestName(comparable, canonicalPaths) ?? sameEnd(lower);
  return known && `${base}${context}${known.replace('{pageId}', page?.[2] ?? '{pageId}')}`;
}

/** Where only the prefix is wrong, the end of the path says what was meant. */
function sameEnd(lower: string): string | undefined {
  const found = endpoints.find(
    ({ path }) => lower.endsWith(path.toLowerCase()) && !path.includes('{') && path.length > 5,
  );
  return found && `${canonicalPrefix(found.family)}${found.path}`;
}
