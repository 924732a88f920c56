// Raw requests, each to a fresh sandbox, and the check of their refusal: exact, helpful, recorded, and without any effect.
import { expect } from 'chai';
import { canonicalPrefix } from '../../../server/operations/address.js';
import type { OperationId } from '../../../server/operations/catalog/catalog.js';
import { operationOf } from '../../../server/operations/catalog/catalog.js';
import type { RefusalCode } from '../../../server/operations/refusals.js';
import type { Running } from '../../../server/process/start.js';
import { seenIn } from '../../security/asking.js';
import { basic, entriesIn, send, sendJson, sendRaw } from '../../support/wire/server.js';
import { validQuestions } from '../../support/worlds/valid.js';

/** The request; missing parts are those of a valid request of the operation. */
export interface Sent {
  readonly id?: OperationId;
  readonly method?: string;
  /** Path and query, or path alone, instead of those of the operation. */
  readonly path?: string;
  readonly query?: string;
  /** Headers instead of `application/json` and the admin's credentials; `null` leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: string | Buffer;
  /** `none`: no length and no body. `chunked`: in chunks. Default: with its length. */
  readonly framing?: 'none' | 'length' | 'chunked';
}

export interface Got {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly message: string;
}

export interface Refusal {
  readonly status: number;
  readonly code: RefusalCode;
  readonly message: string | RegExp;
}

let count = 0;

/** A new sandbox of a server, by name. */
export async function freshSandbox({ url }: Running): Promise<string> {
  count += 1;
  const name = `s${count}`;
  await sendJson(`${url}/_fake/v1/sandboxes`, 'POST', { name });
  return name;
}

export async function worldOf({ url }: Running, sandbox: string): Promise<string> {
  const { status, text } = await send(`${url}/_fake/v1/sandboxes/${sandbox}/world`);
  expect(status).to.equal(200);
  return text;
}

/** Path and query of a valid request. */
export function pathOf(id: OperationId, query?: string): string {
  const operation = operationOf(id);
  const question = validQuestions[id];
  const path = (operation?.path ?? '').replace('{pageId}', question.params?.pageId ?? '');
  const search = query ?? String(new URLSearchParams(question.query as Record<string, string>));
  return `${canonicalPrefix(operation?.family ?? 'wiki')}${path}${search === '' ? '' : `?${search}`}`;
}

/** The bytes of a request on a connection of its own. */
export function bytesOf(sent: Sent, sandbox: string, connection = 'close'): Buffer {
  const { id = 'groups.add-users', framing = 'length', body = JSON.stringify(validQuestions[id].json ?? {}) } = sent;
  const bytes = Buffer.from(body as string);
  const framed = {
    none: {},
    length: { 'content-length': String(bytes.length) },
    chunked: { 'transfer-encoding': 'chunked' },
  };
  const headers = {
    host: 'localhost',
    connection,
    'content-type': 'application/json',
    authorization: basic('admin', 'admin'),
    'x-fake-sandbox': sandbox,
    ...framed[framing],
    ...sent.headers,
  };
  const lines = Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}\r\n`]));
  const line = `${sent.method ?? operationOf(id)?.method} ${sent.path ?? pathOf(id, sent.query)} HTTP/1.1\r\n`;
  const head = Buffer.from(`${line}${lines.join('')}\r\n`, 'latin1');
  return Buffer.concat([head, { none: Buffer.alloc(0), length: bytes, chunked: inChunks(bytes) }[framing]]);
}

/** A body in chunks, the first of them short, so that characters and tokens are split. */
function inChunks(bytes: Buffer): Buffer {
  const pieces = bytes.length < 2 ? [bytes] : [bytes.subarray(0, 1), bytes.subarray(1, 3), bytes.subarray(3)];
  const chunks = pieces.filter(({ length }) => length > 0);
  const framed = chunks.flatMap(piece => [Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]);
  return Buffer.concat([...framed, Buffer.from('0\r\n\r\n')]);
}

/** The bytes received on one connection. */
export function gotFrom(latin1: string): Got {
  const { status, headers, body } = seenIn(latin1.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, ''));
  const text = Buffer.from(body, 'latin1').toString('utf8');
  return { status, headers: new Map(Object.entries(headers)), text, message: messageIn(text) };
}

export async function ask(server: Running, sandbox: string, sent: Sent): Promise<Got> {
  return gotFrom(await sendRaw(server.url, bytesOf(sent, sandbox)));
}

/**
 * Sends it to a sandbox (a fresh one), and expects a refusal in the error body of its family, a journal entry, and an unchanged
 * world.
 */
export async function refuses(server: Running, sent: Sent, expected: Refusal, in_?: string): Promise<Got> {
  const sandbox = in_ ?? (await freshSandbox(server));
  const before = await worldOf(server, sandbox);
  const earlier = await entriesIn(server, sandbox);
  const got = await ask(server, sandbox, sent);
  expectRefusal(got, expected);
  expect(await worldOf(server, sandbox)).to.equal(before);
  const entries = await entriesIn(server, sandbox);
  expect(entries).to.have.length(earlier.length + 1);
  const entry = entries.at(-1);
  expect(entry?.refused).to.equal(expected.code);
  expect(entry?.response.status).to.equal(expected.status);
  expect(entry?.facts).to.deep.equal([]);
  if (sent.path === undefined) expect(entry?.url).to.equal(pathOf(sent.id ?? 'groups.add-users', sent.query));
  return got;
}

function expectRefusal({ status, message, text, headers }: Got, expected: Refusal): void {
  if (typeof expected.message === 'string') expect(message).to.equal(expected.message);
  else expect(message).to.match(expected.message);
  expect(status, text).to.equal(expected.status);
  expect(headers.get('content-type')).to.match(/^application\/json(;charset=UTF-8)?$/);
  expect(headers.get('content-length')).to.equal(String(Buffer.byteLength(text)));
}

/** The message in either default error body, whose form is checked exactly. */
function messageIn(text: string): string {
  if (!text.startsWith('{"statusCode"') && !text.startsWith('{"errorMessages"')) return '';
  const body = JSON.parse(text) as { message?: string; errorMessages?: string[] };
  return body.message ?? body.errorMessages?.join(' ') ?? '';
}
