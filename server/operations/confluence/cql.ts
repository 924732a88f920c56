// The supported part of Confluence's query language: comparisons of space, type, title and label, joined by and, and an order.
// https://developer.atlassian.com/server/confluence/advanced-searching-using-cql/
import type { Page } from '../../domain/world/world.js';

/** The conditions of a query; absent ones are met by every page. */
export interface Cql {
  readonly spaces?: readonly string[];
  readonly type?: string | undefined;
  readonly title?: string | undefined;
  readonly matches?: (page: Page) => boolean;
  /** Default: by space and position. */
  readonly compare?: (one: Page, other: Page) => number;
}

/** `isCql`: whether Confluence understands it. */
export interface CqlProblem {
  readonly problem: string;
  readonly isCql: boolean;
}

export const UNDERSTOOD =
  'space, type, title and label with "=" or "in", and title with "~". Join comparisons with "and". You can add "order by" title, created or lastmodified';
const SUPPORTED: ReadonlyMap<string, readonly string[]> = new Map([
  ['space', ['=', 'in']],
  ['type', ['=', 'in']],
  ['title', ['=', 'in', '~']],
  ['label', ['=', 'in']],
]);
const OTHER_FIELDS: ReadonlySet<string> = new Set(
  `ancestor container content content.property contributor created creator favourite id lastmodified macro mention parent sitesearch
  space.category space.key space.title space.type text user user.accountid user.fullname user.userkey watcher`.split(
    /\s+/,
  ),
);
const SIGNS: ReadonlySet<string> = new Set(['=', '!=', '~', '!~', '>', '>=', '<', '<=', 'in', 'not']);
const ORDERS: ReadonlyMap<string, (page: Page) => string> = new Map([
  ['title', ({ title }: Page) => title.toLowerCase()],
  ['created', ({ created }: Page) => created],
  ['lastmodified', ({ updated }: Page) => updated],
]);
const TOKEN = /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(!=|!~|>=|<=|[=~<>(),])|([^\s"'=()<>!~,]+))/y;

interface Token {
  readonly word: string;
  readonly kind: 'sign' | 'bare' | 'quoted';
}

type Building = { -readonly [K in keyof Cql]: Cql[K] } & { tests: Array<(page: Page) => boolean> };

/** Parses a query, or returns what is not supported. */
export function parseCql(text: string): Cql | CqlProblem {
  const refuse = (why: string, isCql = false): CqlProblem => ({
    problem: `${isCql ? 'The fake does not support this cql' : 'Could not parse cql'} : ${JSON.stringify(text.slice(0, 200))}: ${why}. Supported: ${UNDERSTOOD}.`,
    isCql,
  });
  const tokens = tokensOf(text);
  if (typeof tokens === 'string') return refuse(tokens);
  if (tokens.length === 0) return { problem: `Missing query parameter cql. Supported: ${UNDERSTOOD}.`, isCql: false };
  let at = 0;
  const next = () => tokens[at++];
  const isNext = (...words: readonly string[]) =>
    words.every((word, i) => tokens[at + i]?.kind !== 'quoted' && tokens[at + i]?.word.toLowerCase() === word);
  const query: Building = { tests: [] };
  while (!isNext('order', 'by')) {
    if (isNext('not') || isNext('(')) return refuse('not and parentheses', true);
    const field = next()?.word.toLowerCase() ?? '';
    const sign = next()?.word.toLowerCase() ?? '';
    const signs = SUPPORTED.get(field);
    if (signs === undefined)
      return OTHER_FIELDS.has(field)
        ? refuse(`the field ${field}`, true)
        : refuse(`unknown field ${JSON.stringify(field)}`);
    if (!SIGNS.has(sign)) return refuse(`${field} needs = and a value`);
    if (!signs.includes(sign)) return refuse(`${field} ${sign}`, true);
    const values = sign === 'in' ? listIn(next) : valueIn(next);
    if (values === undefined) return refuse(`${field} ${sign} needs a value`);
    add(query, field, sign, values);
    if (at === tokens.length) return finished(query);
    if (isNext('or')) return refuse('or', true);
    if (isNext('order', 'by')) break;
    if (!isNext('and') || at + 1 === tokens.length)
      return refuse('after a comparison, expected "and" and another comparison');
    at += 1;
  }
  at += 2;
  const compare = orderIn(tokens.slice(at));
  return compare === undefined ? refuse('this order', true) : finished({ ...query, compare });
}

/** One value, or `undefined`. */
function valueIn(next: () => Token | undefined): string[] | undefined {
  const value = next();
  return value === undefined || value.kind === 'sign' ? undefined : [value.word];
}

/** The values of `(a, b)`, or `undefined`. */
function listIn(next: () => Token | undefined): string[] | undefined {
  if (next()?.word !== '(') return undefined;
  const values: string[] = [];
  for (;;) {
    const [value] = valueIn(next) ?? [];
    const end = next()?.word;
    if (value === undefined || (end !== ',' && end !== ')')) return undefined;
    values.push(value);
    if (end === ')') return values;
  }
}

function add(query: Building, field: string, sign: string, values: readonly string[]): void {
  const [value = ''] = values;
  if (field === 'space') query.spaces = query.spaces?.filter(space => values.includes(space)) ?? values;
  else if (field === 'label')
    query.type = 'none'; // no page has one here
  else if (field === 'type') {
    if (!values.includes('page')) query.type = 'none';
  } else if (sign === '~') query.tests.push(({ title }) => isAbout(title, value));
  else if (values.length === 1 && query.title === undefined) query.title = value;
  else query.tests.push(({ title }) => values.includes(title));
}

function finished({ tests, ...query }: Building): Cql {
  return tests.length === 0 ? query : { ...query, matches: page => tests.every(test => test(page)) };
}

/** Whether a title has each word of a text; `*` at the end of a word stands for any letters. */
function isAbout(title: string, text: string): boolean {
  const words = title.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const wanted = text.toLowerCase().split(/[^\p{L}\p{N}*]+/u);
  return wanted.every(word =>
    word.endsWith('*') ? words.some(one => one.startsWith(word.slice(0, -1))) : word === '' || words.includes(word),
  );
}

/** `title desc, created`; `undefined`: not supported. */
function orderIn(tokens: readonly Token[]): Cql['compare'] {
  const orders = tokens
    .map(({ word }) => word.toLowerCase())
    .join(' ')
    .split(',')
    .map(text => {
      const [field = '', direction = 'asc', ...rest] = text.trim().split(' ');
      const key = ORDERS.get(field);
      return rest.length > 0 || !/^(asc|desc)$/.test(direction) || key === undefined
        ? undefined
        : { key, sense: direction === 'asc' ? 1 : -1 };
    });
  const known = orders.filter(order => order !== undefined);
  if (known.length < orders.length) return undefined;
  return (one, other) => {
    for (const { key, sense } of known) {
      const [left, right] = [key(one), key(other)];
      if (left !== right) return left < right ? -sense : sense;
    }
    return 0;
  };
}

function tokensOf(text: string): Token[] | string {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) return `${JSON.stringify(text.slice(at, end).trim().slice(0, 40))} cannot be read`;
    const [, double, single, sign, bare] = match;
    const quoted = double ?? single;
    tokens.push(
      quoted === undefined
        ? { word: sign ?? bare ?? '', kind: sign === undefined ? 'bare' : 'sign' }
        : { word: quoted.replace(/\\(.)/gs, '$1'), kind: 'quoted' },
    );
  }
  return tokens;
}
