// Detects secrets by name and by format, and hides them. Everything that is stored or shown passes through here.

import type { Fact } from '../domain/facts.js';
import { isObject } from '../domain/form/patch.js';
import { putPage } from '../domain/world/pages.js';
import type { SidebarLink, World } from '../domain/world/world.js';
import { gapIds } from '../operations/gaps/gaps.js';
import { parsedJson } from './parsed-json.js';
import { decoded, decodes } from './percent.js';

/** Replaces a secret. */
export const HIDDEN = 'hidden';

/** Names in lower case, words joined by hyphens, whose values are always secret. */
const SECRET =
  /token|secret|pass-?w|pass-?phrase|pass-?code|pwd|credential|session|sess-?id|signature|jwt|assertion|saml-?(?:request|response|art)|[cx]srf|(?:^|-)cookies?$|authorization|code-?verifier|(?:access|account|api|auth|consumer|encryption|master|private|shared|signing)-?key|(?:access|auth|backup|device|mfa|otp|recovery|security|verification)-?code|(?:^|-)(?:[th]?otp|mfa|2fa|cv[vc])(?:-|$)|(?:^|-)(?:auth|creds?|pass)$/;

/** Short names that are secret only as parameters and headers: in JSON they have other meanings. */
const SECRET_PARAMETER = /^(?:code|pat|ticket|wresult)$|(?:^|-)(?:hmac|pin|sid|sig)$|(?:^|-)authenticat/;

/** A part of each secret name, and of some others: a quick test that a text has none. */
const STEMS =
  'token|secret|pass|pwd|cred|sess|signature|jwt|assertion|saml|srf|cookie|auth|verif|otp|mfa|2fa|cv[vc]|ticket|wresult|hmac|\\b(?:key|code)\\b|(?:ss|nt|pi|er|on|te|ed|ng)[^a-z]?key|(?:ss|p|ce|a|y|on)[^a-z]?code|(?:pat|pin|sid|sig)(?![a-z])';
const MAY_BE_SECRET = new RegExp(STEMS, 'i');
const NAME = String.raw`[\w.%[\]-]`;
/** A secret name with the characters before its value. The lookbehind runs only at such a character. */
const MAY_NAME = new RegExp(String.raw`(?:=|"\s{0,8}:)(?<=(?:${STEMS})${NAME}{0,48}(?:=|"\s{0,8}:))`, 'i');

/** A part of each secret that is known by its format, and of other texts. */
const MAY_SHAPE = /:\\?\/|3[Aa]%2F|eyJ|(?:[Bb]earer|BEARER|[Bb]asic|BASIC|[Nn]egotiate|NTLM) /;

/** Texts that are secret wherever they appear, with the number of servers that registered each. */
const registered = new Map<string, number>();
/** Shorter ones would hide parts of ordinary words. */
const MIN_REGISTERED = 6;

/** Hides these texts wherever they appear, until the returned function is called. */
export function hideEverywhere(texts: readonly string[]): () => void {
  const hidden = texts.filter(text => text.length >= MIN_REGISTERED);
  for (const text of hidden) registered.set(text, (registered.get(text) ?? 0) + 1);
  return () => {
    for (const text of hidden) {
      const others = (registered.get(text) ?? 1) - 1;
      if (others === 0) registered.delete(text);
      else registered.set(text, others);
    }
  };
}

function hasRegistered(text: string): boolean {
  for (const secret of registered.keys()) if (text.includes(secret)) return true;
  return false;
}

/** Also percent-encoded ones; then the text is shown decoded. */
function withoutRegistered(text: string): string {
  const plain = text.includes('%') ? decodedAscii(text) : text;
  if (!hasRegistered(plain)) return text;
  let shown = plain;
  for (const secret of registered.keys()) shown = shown.replaceAll(secret, HIDDEN);
  return shown;
}

/** Whether a parameter, form field or header of this name may be a credential. The name may be percent-encoded. */
export function isSecretName(name: string): boolean {
  if (isSecretField(name)) return true;
  return !GAPS.has(name) && wordings(name).some(words => SECRET_PARAMETER.test(words));
}

/** `bad-credentials=404` is a choice of a reading. */
const GAPS: ReadonlySet<string> = new Set(gapIds);

/** Cache of field names: bodies repeat the same few. */
const fields = new Map<string, boolean>();
const MAX_FIELDS = 1_000;

/** The same for a field of JSON. */
export function isSecretField(name: string): boolean {
  const known = fields.get(name);
  if (known !== undefined) return known;
  const isSecret = !GAPS.has(name) && wordings(name).some(words => SECRET.test(words));
  if (fields.size < MAX_FIELDS && name.length <= 64) fields.set(name, isSecret);
  return isSecret;
}

/** A name as words joined by hyphens, with and without its capitals as word breaks. */
function wordings(name: string): readonly string[] {
  const plain = decodedAscii(name);
  if (!MAY_BE_SECRET.test(plain)) return [];
  return [plain, plain.replace(/([a-z\d])([A-Z])/g, '$1-$2')].map(words =>
    words.toLowerCase().replace(/[^a-z\d]+/g, '-'),
  );
}

function decodedAscii(text: string): string {
  return text.replace(/%([0-7][\dA-Fa-f])/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

type Rule = readonly [pattern: RegExp, replacement: (match: string, ...groups: string[]) => string];

/** Secrets that are known by their format. Linear time. `x{8}x*` instead of `x{8,}`, which overflows V8's stack on long texts. */
const shapes: readonly Rule[] = [
  [
    /(:(?:\\?\/){2})([^\s/?#"<>\\]*)@/g,
    (match, slashes = '', user = '') => (isSecretUser(user) ? `${slashes}${HIDDEN}@` : match),
  ],
  [/(:(?:\\?\/){2})[^\s/?#"<>\\:@]+:(?!\d)[^\s/?#"<>\\@]*(?:\.\.\.|…)/g, (_, slashes = '') => `${slashes}${HIDDEN}`], // cut off before its host
  [
    /(%3A%2F%2F)([^\s/?#"&<>]{1,64}?)%40/gi,
    (match, slashes = '', user = '') => (isSecretUser(decodedAscii(user)) ? `${slashes}${HIDDEN}%40` : match),
  ],
  [/\b(bearer|basic|negotiate|ntlm) {1,4}([\w.~+/=-]{6}[\w.~+/=-]*)/gi, redactCredentials],
  [/(?<![\w-])eyJ[\w-]{10}[\w-]*[\w.-]*/g, () => HIDDEN],
];

/** Secrets after a secret name: `?token=…` and `"token": "…"`. */
const pairs: readonly Rule[] = [
  [
    new RegExp(String.raw`(^|[?&;#\s"'(,{>])(${NAME}{1,64})=(?<=(?:${STEMS})${NAME}{0,48}=)([^\s&;#"'<>,)}]+)`, 'gi'),
    (match, before = '', name = '', value = '') => {
      const isSecret = /[?&;#]/.test(before) ? isSecretName(name) : isSecretField(name);
      const rest = before === ';' ? /\/.*/s.exec(value)?.[0] : undefined; // the path continues
      return isSecret ? `${before}${name}=${HIDDEN}${rest ?? ''}` : match;
    },
  ],
  [
    /"([\w.-]{1,64})"(\s{0,8}:\s{0,8})(?:"[^"]*"?|[\w.+-]+)/g,
    (match, name = '', colon = '') => (isSecretField(name) ? `"${name}"${colon}"${HIDDEN}"` : match),
  ],
];

/** A text with more suspicious places is hidden completely. */
const MOST = 10_000;

/** A text with its secrets hidden. */
export function redactText(text: string): string {
  const plain = withoutRegistered(text);
  const shaped = MAY_SHAPE.test(plain) ? replaced(plain, shapes) : plain;
  return MAY_NAME.test(shaped) ? replaced(shaped, pairs) : shaped;
}

function replaced(text: string, rules: readonly Rule[]): string {
  let count = 0;
  let shown = text;
  for (const [pattern, replacement] of rules) {
    shown = shown.replace(pattern, (match: string, ...groups: string[]) => {
      count += 1;
      return count > MOST ? '' : replacement(match, ...groups);
    });
    if (count > MOST) return HIDDEN;
  }
  return shown;
}

/** `user:password`. A user name alone is hidden only if it is long: some hosts take a token there. */
function isSecretUser(user: string): boolean {
  return !user.includes('/') && (user.includes(':') || user.length > 16);
}

/** `Basic internationalization` is English: after Basic a pair in base64 is expected, and a token is long or has digits. */
function redactCredentials(match: string, scheme = '', value = ''): string {
  const isPair = scheme.toLowerCase() === 'basic' && Buffer.from(value, 'base64').toString('latin1').includes(':');
  const isToken = (value.length >= 8 && /\d/.test(value)) || value.length >= 24;
  return isPair || isToken ? `${scheme} ${HIDDEN}` : match;
}

/** Path and query of a request, or a whole URL, with its secrets hidden; user info before the host is removed. */
export function redactUrl(target: string): string {
  if (!/%|bearer/i.test(target) && !MAY_NAME.test(target) && redactText(target) === target) return target; // most are
  const [whole = '', path = '', query, fragment] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(target) ?? [];
  if (whole === '') return target;
  return [
    redactPath(path),
    ...(query === undefined ? [] : ['?', redactQuery(query)]),
    ...(fragment === undefined ? [] : ['#', redactQuery(fragment)]),
  ].join('');
}

function redactPath(path: string): string {
  const own = path.replace(/^([A-Za-z][\w+.-]*:\/\/)[^/]*@/, '$1');
  const shown = redactText(own);
  return shown
    .split('/')
    .map(segment => (segment.includes('%') ? redactEncoded(segment, encodeURIComponent) : segment))
    .join('/');
}

/** A query or a form. */
function redactQuery(query: string): string {
  return query.split('&').map(redactPair).join('&');
}

/** A value that is a whole header. */
const BEARER = /^[\s+]*bearer[\s+]+[^\s+]+[\s+]*$/i;

/** `name=value`. */
export function redactPair(pair: string): string {
  const at = pair.indexOf('=');
  const value = pair.slice(at + 1);
  if (at === -1) return redactEncoded(pair, written);
  const name = redactEncoded(pair.slice(0, at), written);
  const isSecret = isSecretName(name) || BEARER.test(decodedAscii(value));
  if (!isSecret) return `${name}=${redactEncoded(value, written)}`;
  return `${name}=${HIDDEN}${decodes(value) ? '' : '%'}`; // stays undecodable when replayed
}

function written(value: string): string {
  return encodeURIComponent(value).replaceAll('%20', '+');
}

/** Maximum nesting of percent-encoding: a URL within a URL within a URL. */
const LAYERS = 3;

/** A percent-encoded value. Values without secrets stay as written, unless something beside them is hidden. */
function redactEncoded(value: string, encode: (text: string) => string): string {
  const raw = redactText(value);
  let plain = raw.replaceAll('+', ' ');
  for (let layer = 1; layer <= LAYERS; layer += 1) {
    const next = decoded(plain) ?? decodedAscii(plain);
    const shown = redactText(next);
    if (shown !== next) return `${layer === 1 ? encode(shown) : HIDDEN}${decodes(value) ? '' : '%'}`;
    if (next === plain) break;
    plain = next;
  }
  return raw;
}

/** A header's value, hidden completely if its name is secret. */
export function redactHeader(name: string, value: string): string {
  if (isSecretName(name)) return HIDDEN;
  return /\s/.test(value) ? redactText(value) : redactUrl(value); // one word may be a URL
}

/** A JSON value. Very deep parts are hidden completely. The same value if nothing is hidden. */
export function redactValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEEPEST) return HIDDEN;
  const parts = Array.isArray(value) ? value : Object.values(value);
  const names = Array.isArray(value) ? undefined : Object.keys(value);
  const shown = parts.map((part: unknown, i) =>
    part !== null && names !== undefined && isSecretField(names[i] ?? '') ? HIDDEN : redactValue(part, depth + 1),
  );
  const shownNames = names?.map(withoutRegistered);
  const isSame = (all: readonly unknown[], before: readonly unknown[]) => all.every((one, i) => one === before[i]);
  if (isSame(shown, parts) && isSame(shownNames ?? [], names ?? [])) return value;
  return shownNames === undefined ? shown : Object.fromEntries(shown.map((part, i) => [shownNames[i], part]));
}

const DEEPEST = 64;

/** The text of a body: JSON, a form, or an attempt at one. `value`: its parsed JSON, if known. */
export function redactBody(text: string, value?: unknown): string {
  if (isPlain(text, value)) return text;
  const known = value ?? parsedJson(text);
  if (known === undefined) {
    if (text.startsWith('--')) return redactMultipart(text);
    return redactText(/^[^\s"<>]*=/.test(text) ? redactQuery(text) : text);
  }
  const shown = redactValue(known);
  return shown === known && redactText(text) === text ? text : JSON.stringify(shown); // of repeated keys, the value has only the last
}

/** A form in parts (RFC 7578), each with its name in a header. */
function redactMultipart(text: string): string {
  const [boundary = ''] = text.split(/\r?\n/, 1);
  const parts = text.split(boundary).map(part => {
    const [, head, gap, content, end] = /^([\s\S]*?)(\r?\n\r?\n)([\s\S]*?)(\r?\n)?$/.exec(part) ?? [];
    const name = head && /;\s*name="?([^";\r\n]*)/i.exec(head)?.[1];
    if (name === undefined || content === undefined) return redactText(part);
    return `${redactText(head ?? '')}${gap}${isSecretName(name) ? HIDDEN : redactText(content)}${end ?? ''}`;
  });
  return parts.join(boundary);
}

/** Whether a quick test shows that a body has no secrets. Most bodies are one object with fields of an operation. */
function isPlain(text: string, value: unknown): boolean {
  if (text.includes('\\') || text.startsWith('--') || MAY_SHAPE.test(text) || withoutRegistered(text) !== text)
    return false;
  const isFlat = isObject(value) && !text.includes('=') && text.lastIndexOf('{') === 0;
  if (!isFlat) return !MAY_NAME.test(text);
  for (const name in value) if (isSecretField(name)) return false;
  return true;
}

export function redactFacts(facts: readonly Fact[]): readonly Fact[] {
  return facts.map(redactFact);
}

export function redactFact(fact: Fact): Fact {
  return redactStrings(fact) as Fact; // it has the same fields
}

/**
 * Hides secrets in every string, whatever its key: keys of facts and patches are names of users, pages and spaces. The same value if nothing is
 * hidden.
 */
export function redactStrings(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  const shown = new Map<string, unknown>();
  for (const name in value) {
    const part: unknown = value[name as keyof typeof value];
    const redacted = redactStrings(part);
    if (redacted !== part) shown.set(name, redacted);
  }
  if (shown.size === 0) return value;
  if (Array.isArray(value)) return value.map((part, i) => shown.get(String(i)) ?? part);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shown.get(name) ?? part]));
}

const redactedWorlds = new WeakMap<World, World>();

/** The world with secrets in pages and sidebars hidden. Passwords and tokens of users stay, because they are needed. */
export function redactWorld(world: World): World {
  const known = redactedWorlds.get(world);
  if (known !== undefined) return known;
  const shown = redactSidebars(redactPages(world));
  redactedWorlds.set(world, shown);
  return shown;
}

function redactPages(world: World): World {
  let shown = world;
  for (const [id, page] of world.pages) {
    const [title, body] = [redactText(page.title), redactText(page.body)];
    if (title !== page.title || body !== page.body) shown = putPage(shown, id, { ...page, title, body });
  }
  return shown;
}

function redactSidebars(world: World): World {
  let { spaces } = world;
  for (const [key, space] of world.spaces) {
    const sidebar = space.sidebar.map(redactLink);
    if (sidebar.some((link, i) => link !== space.sidebar[i]))
      spaces = spaces.set(key, Object.freeze({ ...space, sidebar }));
  }
  return spaces === world.spaces ? world : { ...world, spaces };
}

function redactLink(link: SidebarLink): SidebarLink {
  const [label, url] = [redactText(link.label), redactText(link.url)];
  return label === link.label && url === link.url ? link : { label, url };
}
