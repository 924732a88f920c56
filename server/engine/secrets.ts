// Finds secrets by their names and forms, and hides them. Everything that is stored or shown passes through here.

import { unescape as decoded } from 'node:querystring';
import { parsedJson } from '../domain/json/parsed-json.js';
import { decodes } from './percent.js';

export const HIDDEN = 'hidden';

/** A name that contains one of these is secret, in any case. A hyphen stands for `-`, `_` or nothing. The gap `bad-credentials` is no secret. */
const WORDS =
  'access-key|api-key|assertion|auth-code|authorization|code-verifier|cookie|(?<!bad-)credential|csrf|encryption-key|jwt|pass-code|pass-phrase|pass-word|passwd|private-key|pwd|saml|secret|sess-id|session|signature|signing-key|token|xsrf';
/** Secret only as whole names: inside others, these letters mean nothing. */
const NAMES = '2fa|auth|cvc|cvv|mfa|otp|pass|totp';
/** Secret only as names of parameters and headers: in JSON they have other meanings. */
const PARAMETER_NAMES = 'code|pat|pin|proxy-authenticate|sid|sig|ticket|www-authenticate';

const expression = (names: string) => new RegExp(names.replaceAll('-', '[-_]?'), 'i');
const WORD = expression(WORDS);
const NAME = expression(`^(?:${NAMES})$`);
const PARAMETER_NAME = expression(`^(?:${PARAMETER_NAMES})$`);
const IN_TEXT = expression(`\\b(?:${NAMES})["=]`);

/** A quick test that most texts fail: whether one may have a value with a secret name. */
function mayName(text: string): boolean {
  return /=|"\s*:/.test(text) && (WORD.test(text) || IN_TEXT.test(text));
}

export function isSecretField(name: string): boolean {
  return WORD.test(name) || NAME.test(name);
}

/** Whether a parameter, form field or header may be a credential. */
export function isSecretName(name: string): boolean {
  return isSecretField(name) || PARAMETER_NAME.test(name);
}

/** Texts that are secret wherever they appear, by the server that has them. */
const registered = new Set<readonly string[]>();
let anyRegistered = /(?!)/g;
/** Shorter ones would hide parts of ordinary words. */
const MIN_REGISTERED = 6;

/** Hides these texts wherever they appear, until the returned function is called. */
export function hideEverywhere(texts: readonly string[]): () => void {
  const added = texts.filter(text => text.length >= MIN_REGISTERED);
  registered.add(added);
  findRegistered();
  return () => {
    registered.delete(added);
    findRegistered();
  };
}

function findRegistered(): void {
  shownHeaders.clear();
  const longestFirst = [...registered].flat().sort((a, b) => b.length - a.length);
  const escaped = longestFirst.map(text => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  anyRegistered = new RegExp(escaped.join('|') || '(?!)', 'g');
}

const USER_INFO = /(:\\?\/\\?\/)[^\s/?#"<>\\]+@/g;
const SCHEME = /\b(bearer|basic) +([\w.~+/=-]+)/gi;
/** `name=value` and `name": value`. */
const PAIR = /(?<![\w.-])([\w.-]+)(=|"\s*:\s*)("[^"]*"?|[^\s&;#"'<>,(){}[\]]+)/g;

export function redactText(text: string): string {
  const shown = redactForms(text);
  return mayName(shown) ? shown.replace(PAIR, redactNamed) : shown;
}

/** A text without the secrets that have no name. */
function redactForms(text: string): string {
  let shown = withoutRegistered(text);
  if (/:\\?\//.test(shown)) shown = shown.replace(USER_INFO, `$1${HIDDEN}@`);
  return shown.includes(' ') ? shown.replace(SCHEME, redactScheme) : shown;
}

/** Also percent-encoded ones; then the text is shown decoded. */
function withoutRegistered(text: string): string {
  const plain = text.includes('%') ? decoded(text) : text;
  const shown = plain.replace(anyRegistered, HIDDEN);
  return shown === plain ? text : shown;
}

/** `Basic internationalization` is English: a token is long, or has digits or capitals. */
function redactScheme(match: string, scheme: string, value: string): string {
  const isToken = value.length >= 24 || (value.length >= 6 && /.[\dA-Z=]/.test(value));
  return isToken ? `${scheme} ${HIDDEN}` : match;
}

function redactNamed(match: string, name: string, between: string, value: string): string {
  if (!isSecretField(name)) return match;
  return `${name}${between}${between === '=' && !value.startsWith('"') ? HIDDEN : `"${HIDDEN}"`}`;
}

/** Path and query of a request, or a whole URL, with its secrets hidden; user info before the host is removed. */
export function redactUrl(target: string): string {
  if (!/[%=@]/.test(target)) return redactText(target); // most are so
  const [, path = '', mark = '', query = ''] = /^([^?#]*)([?#]?)(.*)$/s.exec(target) ?? [];
  const own = redactForms(path.replace(/^([A-Za-z][\w+.-]*:\/\/)[^/]*@/, '$1'));
  return `${own.replace(/[^/]+/g, redactPart)}${mark}${redactForm(query)}`;
}

const MAX_PAIRS = 10_000;

/** A query or a form. A very long one is hidden completely. */
function redactForm(text: string): string {
  return text.split(/[&#]/, MAX_PAIRS + 1).length > MAX_PAIRS ? HIDDEN : text.replace(/[^&#]+/g, redactPair);
}

/** `name=value`. */
export function redactPair(pair: string): string {
  const at = pair.indexOf('=');
  if (at === -1) return redactPart(pair);
  const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
  return `${redactPart(name)}=${isSecretName(decoded(name)) ? `${HIDDEN}${endOf(value)}` : redactPart(value)}`;
}

/** A percent-encoded part. It stays as written if nothing is hidden. */
function redactPart(written: string): string {
  const own = redactText(written);
  const plain = decoded(own.replaceAll('+', ' '));
  const shown = plain === own ? own : redactText(plain);
  return shown === plain ? own : `${encodeURIComponent(shown)}${endOf(written)}`;
}

/** What cannot be decoded stays undecodable when it is replayed. */
function endOf(written: string): string {
  return decodes(written) ? '' : '%';
}

/** A header's value, hidden completely if its name is secret. */
export function redactHeader(name: string, value: string): string {
  if (isSecretName(name)) return HIDDEN;
  return /\s/.test(value) ? redactText(value) : redactUrl(value); // one word may be a URL
}

/** The last results: clients repeat most headers. */
const shownHeaders = new Map<string, readonly [name: string, value: string]>();
const MAX_SHOWN = 1000;
const MAX_REPEATED = 300;

/** Headers with their secrets hidden, a repeated one as one text. */
export function redactHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const name in headers) {
    const sent = headers[name];
    if (sent === undefined) continue;
    const [own, value] = shownHeader(name, typeof sent === 'string' ? sent : sent.join(', '));
    shown[own] = value;
  }
  return shown;
}

function shownHeader(name: string, value: string): readonly [name: string, value: string] {
  const key = `${name}:${value}`;
  const known = shownHeaders.get(key);
  if (known !== undefined) return known;
  const shown = [redactText(name), redactHeader(name, value)] as const;
  if (key.length > MAX_REPEATED) return shown;
  if (shownHeaders.size >= MAX_SHOWN) shownHeaders.clear();
  shownHeaders.set(key, shown);
  return shown;
}

const DEEPEST = 64;

/** A JSON value. Very deep parts are hidden completely. The same value if nothing is hidden. `byName`: whether names of fields count. */
export function redactValue(value: unknown, byName = true, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEEPEST) return HIDDEN;
  if (Array.isArray(value)) {
    const shown = value.map(part => redactValue(part, byName, depth + 1));
    return shown.every((part, i) => part === value[i]) ? value : shown;
  }
  let isSame = true;
  const shown = Object.entries(value).map(([name, part]: [string, unknown]) => {
    const isSecret = byName && part !== null && isSecretField(name);
    const pair = [redactText(name), isSecret ? HIDDEN : redactValue(part, byName, depth + 1)] as const;
    isSame &&= pair[0] === name && pair[1] === part;
    return pair;
  });
  return isSame ? value : Object.fromEntries(shown);
}

/** The text of a body: JSON, a form, or another text. `value`: its parsed JSON, if known. */
export function redactBody(text: string, value?: unknown): string {
  if (/^[^\s"<>{[]*=/.test(text)) return redactForm(text);
  const known = mayName(text) || text.includes('\\') ? (value ?? parsedJson(text)) : undefined;
  if (known === undefined) return redactText(text);
  const shown = redactValue(known);
  return shown === known && redactText(text) === text ? text : JSON.stringify(shown); // of repeated fields, the value has only the last
}
