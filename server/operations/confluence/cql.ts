// The supported part of Confluence's query language: comparisons of some fields, joined by and, or and parentheses, and an order.
// https://developer.atlassian.com/server/confluence/advanced-searching-using-cql/
import type { Page } from '../../domain/world/world.js';

/** The conditions of a query; absent ones are met by every page. */
export interface Cql {
  readonly spaces?: readonly string[];
  readonly type?: string | undefined;
  readonly title?: string | undefined;
  readonly matches?: (page: Page, id: string) => boolean;
  /** Default: by space and position. */
  readonly compare?: (one: Page, other: Page) => number;
}

/** `isCql`: whether Confluence understands it. */
export interface CqlProblem {
  readonly problem: string;
  readonly isCql: boolean;
}

export const UNDERSTOOD =
  'space, type, title, id, creator and label with "=" or "in", and title and text with "~". Join comparisons with "and", "or" and parentheses. You can add "order by" title, created or lastmodified';
const SUPPORTED: ReadonlyMap<string, readonly string[]> = new Map([
  ['space', ['=', 'in']],
  ['type', ['=', 'in']],
  ['title', ['=', 'in', '~']],
  ['text', ['~']],
  ['id', ['=', 'in']],
  ['creator', ['=', 'in']],
  ['label', ['=', 'in']],
]);
const OTHER_FIELDS: ReadonlySet<string> = new Set(
  `ancestor container content content.property contributor created favourite lastmodified macro mention parent sitesearch
  space.category space.key space.title space.type user user.accountid user.fullname user.userkey watcher`.split(/\s+/),
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

/** One condition. `field`: what it compares; absent for one in parentheses. */
interface Condition {
  readonly field?: string;
  readonly values: readonly string[];
  readonly test: (page: Page, id: string) => boolean;
}

/** Parses a query, or returns what is not supported. */
export function parseCql(text: string): Cql | CqlProblem {
  const refuse = (why: string, isCql = false): CqlProblem => ({
    problem: `${isCql ? 'The fake does not support this cql' : 'Could not parse cql'} : ${JSON.stringify(text.slice(0, 200))}: ${why}. Supported: ${UNDERSTOOD}.`,
    isCql,
  });
  const tokens = tokensOf(text);
  if (typeof tokens === 'string') return refuse(tokens);
  if (tokens.length === 0) return { problem: `Missing query parameter cql. Supported: ${UNDERSTOOD}.`, isCql: false };
  const reader = new Reader(tokens);
  try {
    const conditions = reader.isNext('order', 'by') ? [] : alternatives(reader, 0);
    if (!reader.isAtEnd && !reader.isNext('order', 'by'))
      return refuse('after a comparison, expected "and" or "or" and another comparison');
    const compare = reader.isAtEnd ? undefined : orderIn(reader.rest(2));
    if (!reader.isAtEnd && compare === undefined) return refuse('this order', true);
    return { ...queryOf(conditions), ...(compare && { compare }) };
  } catch (error) {
    if (error instanceof NotUnderstood) return refuse(error.message, error.isCql);
    throw error;
  }
}

class NotUnderstood extends Error {
  constructor(
    message: string,
    readonly isCql = false,
  ) {
    super(message);
  }
}

class Reader {
  #at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  get isAtEnd(): boolean {
    return this.#at >= this.tokens.length;
  }

  next(): Token | undefined {
    this.#at += 1;
    return this.tokens[this.#at - 1];
  }

  isNext(...words: readonly string[]): boolean {
    return words.every((word, i) => {
      const token = this.tokens[this.#at + i];
      return token?.kind !== 'quoted' && token?.word.toLowerCase() === word;
    });
  }

  /** Whether these words come next, which are then read. */
  takes(word: string): boolean {
    const isNext = this.isNext(word);
    if (isNext) this.#at += 1;
    return isNext;
  }

  /** The tokens after the next ones. */
  rest(skipped: number): readonly Token[] {
    return this.tokens.slice(this.#at + skipped);
  }
}

/** Deeper ones are not read. */
const MAX_DEPTH = 20;

/** Conditions joined by or, of which each is joined by and: a single list if there is no or. */
function alternatives(reader: Reader, depth: number): readonly Condition[] {
  if (depth > MAX_DEPTH) throw new NotUnderstood('more than 20 parentheses in one another', true);
  const all: (readonly Condition[])[] = [];
  do {
    const joined: Condition[] = [];
    do joined.push(condition(reader, depth));
    while (reader.takes('and'));
    all.push(joined);
  } while (reader.takes('or'));
  const [only = [], ...others] = all;
  if (others.length === 0) return only;
  return [{ values: [], test: (page, id) => all.some(some => some.every(({ test }) => test(page, id))) }];
}

function condition(reader: Reader, depth: number): Condition {
  if (reader.isNext('not')) throw new NotUnderstood('not', true);
  if (reader.takes('(')) {
    const inner = alternatives(reader, depth + 1);
    if (!reader.takes(')')) throw new NotUnderstood('a parenthesis is not closed');
    const [only, ...others] = inner;
    if (only !== undefined && others.length === 0) return only;
    return { values: [], test: (page, id) => inner.every(({ test }) => test(page, id)) };
  }
  if (reader.isAtEnd) throw new NotUnderstood('after a comparison, expected "and" or "or" and another comparison');
  const next = () => reader.next();
  const field = next()?.word.toLowerCase() ?? '';
  const sign = next()?.word.toLowerCase() ?? '';
  const signs = SUPPORTED.get(field);
  if (signs === undefined)
    throw OTHER_FIELDS.has(field)
      ? new NotUnderstood(`the field ${field}`, true)
      : new NotUnderstood(`unknown field ${JSON.stringify(field)}`);
  if (!SIGNS.has(sign)) throw new NotUnderstood(`${field} needs = and a value`);
  if (!signs.includes(sign)) throw new NotUnderstood(`${field} ${sign}`, true);
  const values = sign === 'in' ? listIn(next) : valueIn(next);
  if (values === undefined) throw new NotUnderstood(`${field} ${sign} needs a value`);
  const [value = ''] = values;
  if (sign !== '~') return { field, values, test: (page, id) => values.includes(fieldOf(field, page, id)) };
  const texts = ({ title, body }: Page) => (field === 'title' ? title : `${title} ${body.replace(/<[^<>]*>/g, ' ')}`);
  return { values, test: page => isAbout(texts(page), value) };
}

/** What a comparison by `=` or `in` compares. */
function fieldOf(field: string, page: Page, id: string): string {
  switch (field) {
    case 'space':
      return page.space;
    case 'title':
      return page.title;
    case 'creator':
      return page.author;
    case 'id':
      return id;
    case 'type':
      return 'page';
    default:
      return ''; // no page has a label here
  }
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

/** The query: conditions of space, type and title limit the search, the others test each page. */
function queryOf(conditions: readonly Condition[]): Cql {
  let spaces: readonly string[] | undefined;
  let title: string | undefined;
  let type: string | undefined;
  const tests: Condition['test'][] = [];
  for (const { field, values, test } of conditions) {
    if (field === 'space') spaces = spaces?.filter(space => values.includes(space)) ?? values;
    else if (field === 'label' || (field === 'type' && !values.includes('page'))) type = 'none';
    else if (field === 'title' && values.length === 1 && title === undefined) title = values[0];
    else if (field !== 'type') tests.push(test);
  }
  return {
    ...(spaces && { spaces }),
    type,
    title,
    ...(tests.length > 0 && { matches: (page: Page, id: string) => tests.every(test => test(page, id)) }),
  };
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
