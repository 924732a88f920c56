// Parses addresses: sandbox or context path, prefix, and the rest.

import type { Rules } from './document/rule.js';
import type { Family, ResourceFamily } from './operation.js';
import { otherModule } from './real-resources.js';

export type Prefix = 'rest' | 'rest-api' | 'bare';

export interface Address extends Located {
  readonly family: Family;
  readonly prefix: Prefix;
}

/** The address of a resource of Confluence or Jira. */
export interface ResourceAddress extends Located {
  readonly family: ResourceFamily;
}
export type AnyAddress = Address | ResourceAddress;

interface Located {
  /** The context path with its slash, or ''. A sandbox in its place counts as none. */
  readonly context: string;
  /** The sandbox in the path. */
  readonly sandbox?: string;
  /** The part after `.../latest`, with its slash. */
  readonly rest: string;
  /** The version number instead of `latest`. */
  readonly version?: string;
  /** Whether the path has an additional trailing slash; `rest` is without it. */
  readonly hasSlash?: true;
}

export const addressRules = {
  'address.context-path': { says: 'A server with a context path serves the API below it.', source: '4.1, first point' },
  'address.no-context-path': {
    says: 'A server without a context path serves the API below its host.',
    source: '4.1, second point',
  },
  'address.extension-path': {
    says: 'The paths of the wiki extension begin with /cwxapiextension/latest/.',
    source: '4.1, third point; 9',
  },
  'address.ppf-path': {
    says: 'The paths of push and pull begin with /rest/cwx-ppf/latest/.',
    source: '4.5, the table; 9',
  },
  'address.json-bodies': { says: 'All bodies are JSON.', source: '2, the paragraph before the table' },
  'address.case-sensitive': { says: 'All names are case-sensitive.', source: '2, the paragraph before the table' },
} as const satisfies Rules;

/** Whether a rule applies to every request at a served address, so that it is shown only if there is no other. */
export function isOfEveryAddress(rule: string): boolean {
  return rule.startsWith('address.') && rule !== 'address.case-sensitive';
}

/** The prefixes of each family, the longest first. */
export const prefixes: Readonly<Record<Family, ReadonlyArray<readonly [Prefix, string]>>> = {
  wiki: [
    ['rest-api', '/rest/api/cwxapiextension/latest'],
    ['rest', '/rest/cwxapiextension/latest'],
    ['bare', '/cwxapiextension/latest'],
  ],
  ppf: [['rest', '/rest/cwx-ppf/latest']],
};

/**
 * The prefixes of the REST modules, the canonical one first; Jira's before Confluence's, because they contain them.
 */
const resourcePrefixes: Readonly<Record<ResourceFamily, readonly string[]>> = {
  jira: ['/rest/api/2', '/rest/api/latest'],
  'jira-auth': ['/rest/auth/1', '/rest/auth/latest'],
  confluence: ['/rest/api'],
};
const resourceFamilies = Object.keys(resourcePrefixes) as ResourceFamily[]; // the keys of the table

/** The canonical prefix of a family. */
export function canonicalPrefix(family: Family | ResourceFamily): string {
  if (isResourceFamily(family)) return resourcePrefixes[family][0] ?? '';
  return prefixes[family].find(([name]) => name === 'rest')?.[1] ?? '';
}

export function isResourceFamily(family: Family | ResourceFamily): family is ResourceFamily {
  return family !== 'wiki' && family !== 'ppf';
}

/** At most one segment. */
export const CONTEXT = /^(\/[^/]+)?$/;
const SEGMENTS = /^(\/[^/]+)*$/;
/** `.` and `..` are path steps: no URL can contain them. */
export const SANDBOX_NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/;

/** The error of a sandbox name, if any, as the end of a sentence. */
export function sandboxNameError(name: string): string | undefined {
  if (SANDBOX_NAME.test(name)) return undefined;
  return name === '.' || name === '..'
    ? 'no URL can name it'
    : 'expected 1 to 64 letters (A-Z, a-z), digits, dots, underscores or hyphens';
}

/** Removes a leading sandbox from a path: `/~name/...`. */
export function sandboxIn(path: string): { sandbox?: string; path: string } {
  if (!path.startsWith('/~')) return { path };
  const end = path.indexOf('/', 2);
  return end === -1 ? { sandbox: path.slice(2), path: '/' } : { sandbox: path.slice(2, end), path: path.slice(end) };
}

/** Whether the part before the bare prefix is a misspelt part of a longer one: `/REST`, `/rst`, `/api`. */
function isMisspeltPrefix(context: string): boolean {
  if (context === '') return false;
  const segment = context.slice(1).toLowerCase();
  return ['rest', 'api'].some(part => segment === part || isOneLetterOff(segment, part));
}

/** Whether one text lacks a single letter of the other, or swaps two neighbours. A different letter makes another name, such as `test`. */
function isOneLetterOff(text: string, part: string): boolean {
  const without = (whole: string, at: number) => whole.slice(0, at) + whole.slice(at + 1);
  const [short, long] = text.length < part.length ? [text, part] : [part, text];
  if (long.length === short.length + 1) return [...long].some((_, at) => without(long, at) === short);
  return [...part].some(
    (letter, at) => `${part.slice(0, at)}${part[at + 1] ?? ''}${letter}${part.slice(at + 2)}` === text,
  );
}

/** Parses a path; `undefined`: it is no address of an operation. */
export function locate(path: string): Address | undefined {
  const { sandbox, path: sent } = sandboxIn(path);
  const found = addressIn(sent) ?? addressOfVersion(sent);
  if (found === undefined || sandbox === undefined) return found;
  return { ...found, sandbox };
}

function addressIn(path: string): Address | undefined {
  for (const family of ['wiki', 'ppf'] as const) {
    for (const [prefix, text] of prefixes[family]) {
      const at = path.indexOf(`${text}/`);
      if (at === -1) continue;
      const context = path.slice(0, at);
      // Below several segments the bare prefix is more likely a misspelt longer one.
      const isContext =
        prefix === 'bare' ? CONTEXT.test(context) && !isMisspeltPrefix(context) : SEGMENTS.test(context);
      if (!isContext) continue;
      const rest = path.slice(at + text.length);
      if (rest.length < 2 || !rest.endsWith('/')) return { family, prefix, context, rest };
      return { family, prefix, context, rest: rest.slice(0, -1), hasSlash: true };
    }
  }
  return undefined;
}

/** The address with a number such as `1.0` instead of `latest`. */
function addressOfVersion(path: string): Address | undefined {
  const [, before, version] = /^(.*\/(?:cwxapiextension|cwx-ppf)\/)(\d+(?:\.\d+)*)(?=\/)/s.exec(path) ?? [];
  if (before === undefined || version === undefined) return undefined;
  const found = addressIn(`${before}latest${path.slice(before.length + version.length)}`);
  return found && { ...found, version };
}

/** Finds a resource; operations are looked for first. */
export function locateResource(path: string): ResourceAddress | undefined {
  const { sandbox, path: below } = sandboxIn(path);
  const other = otherModule(below);
  if (other !== undefined) return { ...other, ...(sandbox !== undefined && { sandbox }) };
  for (const family of resourceFamilies) {
    for (const text of resourcePrefixes[family]) {
      const at = below.indexOf(`${text}/`);
      const context = below.slice(0, at);
      if (at === -1 || !CONTEXT.test(context)) continue;
      const rest = below.slice(at + text.length);
      const hasSlash = rest.length > 1 && rest.endsWith('/');
      const known = { family, context, ...(sandbox !== undefined && { sandbox }) };
      return hasSlash ? { ...known, rest: rest.slice(0, -1), hasSlash } : { ...known, rest };
    }
  }
  return undefined;
}

/** A pattern of paths in segments; `*` stands for any one segment. */
export function pathPattern(pattern: string): readonly string[] {
  return withCanonicalPrefix(pattern).split('/');
}

/** The forms of a path that patterns are compared with, in segments, at most `most`: as sent, without its sandbox, and without its context as well. */
export function comparedForms(path: string, most?: number): readonly (readonly string[])[] {
  const below = sandboxIn(path).path;
  const context = (locate(path) ?? locateResource(path))?.context ?? CONTEXT_OF_OTHERS.exec(below)?.[0] ?? '';
  return [path, below, below.slice(context.length)].map(form => withCanonicalPrefix(form).split('/', most));
}

/** Where nothing is known, the first segment may be a context path, as before an operation; `rest` begins a path of the API. */
const CONTEXT_OF_OTHERS = /^\/(?!rest\/)[^/]+(?=\/)/;

/** Whether some form of a path fits a pattern. */
export function fitsPath(pattern: readonly string[], forms: readonly (readonly string[])[]): boolean {
  return forms.some(
    segments => segments.length === pattern.length && pattern.every((part, i) => part === '*' || part === segments[i]),
  );
}

const otherPrefixes = resourceFamilies.flatMap(family =>
  resourcePrefixes[family].slice(1).map(other => [`${other}/`, `${canonicalPrefix(family)}/`] as const),
);

/** A path or pattern in which the version of Jira's REST API is a number: `latest` is another name of it. */
function withCanonicalPrefix(path: string): string {
  for (const [other, canonical] of otherPrefixes) if (path.includes(other)) return path.replace(other, canonical);
  return path;
}
