// The placeholders of a stub's headers and body: `${request.query.name}` and others, filled with parts of the request it responds to. Pure.
import { type Path, valueAt } from '../../domain/json/json-pointer.js';
import { comparedForms, fitsPath } from '../../operations/address.js';
import { nearest } from '../nearest.js';
import { type CaptureReference, filled, filledTexts, references, refers } from '../patterns/captures.js';
import { decoded } from '../percent.js';
import type { Request } from '../request/request.js';
import { isSecretName } from '../secrets.js';
import { bodyValue, firstValues, segmentsOf } from './matching.js';
import type { Stub } from './stub.js';

const NAME =
  /^(?:now|id|request\.(?:path\.[1-9]\d{0,3}|query\.[^}]+|headers\.[A-Za-z0-9!#$%&'*+.^_`|~-]+|body(?:\.[^}]+)?))$/;

/** One name of each kind, for messages. */
const EXAMPLES = ['now', 'id', 'request.path.1', 'request.query.name', 'request.headers.x-id', 'request.body.user'];

/** What is wrong with a placeholder, if anything. `others`: further names that are known. */
export function templateError(
  { name }: Pick<CaptureReference, 'name'>,
  others: readonly string[] = [],
): string | undefined {
  const [, part, key = ''] = /^request\.(query|headers)\.(.*)$/.exec(name) ?? [];
  if (part !== undefined && isSecretName(key)) return `\${${name}} may be a secret, which no stub can repeat.`;
  if (NAME.test(name) || others.includes(name)) return undefined;
  const known = [...EXAMPLES, ...others];
  return `Unknown placeholder \${${name}}${nearest(name, known)}: expected a name such as ${known.join(', ')}.`;
}

/** The placeholders of a stub, each with its place. */
export const placeholders = ({ headers, body }: Stub, at: Path = []) => references({ headers, body }, at);

/** `now`: the sandbox's time; `id`: the number of this response among those of the stub. */
export function filledStub(stub: Stub, request: Request, now: string, id: number): Pick<Stub, 'headers' | 'body'> {
  const { headers = {}, body } = stub;
  if (!refers(stub)) return { headers, body };
  const values = new Map(
    placeholders(stub).map(({ name }) => [name, partOf(name, stub, request, now, id) ?? ''] as const),
  );
  const isJson = Object.entries(headers).some(([name, type]) => /^content-type$/i.test(name) && type.includes('json'));
  const inText = isJson ? new Map([...values].map(([name, value]) => [name, escaped(value)])) : values;
  const texts = Object.entries(filledTexts(headers, values)).map(([name, value]) => [name, sendable(value)]);
  return {
    headers: Object.fromEntries(texts),
    body: typeof body === 'string' ? filledTexts(body, inText) : filled(body, values),
  };
}

function partOf(name: string, stub: Stub, request: Request, now: string, id: number): unknown {
  if (name === 'now') return now;
  if (name === 'id') return id;
  const [, part = '', ...keys] = name.split('.');
  const key = keys.join('.');
  if (part === 'path') return segmentAt(Number(key), stub, request);
  if (part === 'query') return valueAt(firstValues(request.query), [key]);
  if (part === 'headers') return valueAt(request.headers, [key.toLowerCase()]);
  return valueAt(bodyValue(request.body), keys);
}

/** From 1, below the sandbox and the context path unless the stub's path includes them. */
function segmentAt(number: number, stub: Stub, { url }: Request): string | undefined {
  const wanted = segmentsOf(stub);
  const form = comparedForms(url.split('?', 1)[0] ?? '').find(segments => fitsPath(wanted, [segments]));
  const written = form?.[number];
  return written && (decoded(written) ?? written);
}

/** As within a JSON string. */
function escaped(value: unknown): string {
  const text = JSON.stringify(value);
  return typeof value === 'string' ? text.slice(1, -1) : text;
}

/** Other characters are percent-encoded, so that a request cannot add headers. */
function sendable(value: string): string {
  return value.toWellFormed().replace(/[^\t\x20-\x7e]/gu, encodeURIComponent);
}
