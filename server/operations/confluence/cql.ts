// The supported part of Confluence's query language: comparisons by = of space, type and title, joined by and.
// https://developer.atlassian.com/server/confluence/advanced-searching-using-cql/

/** The conditions of a query. */
export interface Cql {
  readonly space?: string | undefined;
  readonly type?: string | undefined;
  readonly title?: string | undefined;
}

const UNDERSTOOD = 'understood are space = KEY, type = page and title = "text", joined by and';
const TOKEN = /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(=)|([^\s"'=()<>!~]+))/y;

type Token = { readonly sign: '=' } | { readonly word: string; readonly isQuoted: boolean };

/** Parses a query, or returns what is not supported. */
export function parseCql(text: string): Cql | { readonly problem: string } {
  const tokens = tokensOf(text);
  if (typeof tokens === 'string') return refuse(text, tokens);
  if (tokens.length === 0) return { problem: `There is no query: send cql, of which ${UNDERSTOOD}.` };
  const query: Record<string, string> = {};
  for (let i = 0; i < tokens.length; i += 4) {
    const [field, sign, value, joint] = tokens.slice(i, i + 4);
    const name = wordOf(field)?.toLowerCase();
    const wanted = wordOf(value);
    if (name === undefined || !FIELDS.has(name)) return refuse(text, `there is no field ${wordOf(field) ?? '='}`);
    if (sign === undefined || !('sign' in sign) || wanted === undefined)
      return refuse(text, `${name} needs = and a value`);
    if (joint !== undefined && (wordOf(joint)?.toLowerCase() !== 'and' || tokens.length === i + 4))
      return refuse(text, `after a comparison there is and, and another one`);
    if (query[name] !== undefined && query[name] !== wanted)
      query.type = 'none'; // nothing is two things at once
    else query[name] = query.type === 'none' && name === 'type' ? 'none' : wanted;
  }
  return query;
}

const FIELDS: ReadonlySet<string> = new Set(['space', 'type', 'title']);

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
    if (sign !== undefined) tokens.push({ sign: '=' });
    else tokens.push({ word: quoted?.replace(/\\(.)/gs, '$1') ?? bare ?? '', isQuoted: quoted !== undefined });
  }
  return tokens;
}

function wordOf(token: Token | undefined): string | undefined {
  return token !== undefined && 'word' in token ? token.word : undefined;
}

function refuse(text: string, why: string): { readonly problem: string } {
  return { problem: `Could not parse cql : ${JSON.stringify(text.slice(0, 200))}: ${why}; ${UNDERSTOOD}.` };
}
