// Reads the requests of a HAR file, one after another, however large the file is. Browsers, Playwright and mitmproxy write what HAR 1.2 asks for,
// with some parts absent.
import { createReadStream, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as Type from '@sinclair/typebox';
import { JSONParser } from '@streamparser/json';
import type { Shape } from '../../server/domain/json/shape.js';
import { contrast, schemaErrors } from '../../server/engine/request/validate.js';
import { redactUrl } from '../../server/engine/secrets.js';
import type { ForwardedExchange } from '../../server/http/forwarding/forward-settings.js';
import { MAX_EXAMINED } from '../../server/http/forwarding/forwarded-entry.js';
import { SeenMessage } from '../../server/http/forwarding/seen-message.js';
import { parsedUrl } from '../../server/outgoing/parsed-url.js';
import type { LeftOut } from '../../server/scenario/recording/forwarded-entries.js';
import { readFailure } from '../../server/scenario/yaml/text.js';

const text = Type.String();
const maybe = Type.Optional(text);
const headers = Type.Array(Type.Object({ name: text, value: text }));
/** Playwright keeps bodies in files beside the HAR file. */
const content = Type.Object({ mimeType: maybe, text: maybe, encoding: maybe, _file: maybe });

const entrySchema = Type.Object({
  startedDateTime: maybe,
  _caller: maybe,
  request: Type.Object({ method: text, url: text, headers, postData: Type.Optional(content) }),
  response: Type.Object({ status: Type.Integer(), headers, content: Type.Optional(content) }),
});
type HarEntry = Shape<typeof entrySchema>;

/** A request and its response, as a proxy sees them. */
export interface HarExchange extends Pick<LeftOut, 'entry'> {
  readonly at: Date;
  readonly url: URL;
  readonly exchange: ForwardedExchange & { readonly response: SeenMessage };
  /** What the journal of a fake says of the caller. */
  readonly caller?: string;
}

/** What is wrong with a HAR file. */
export class HarError extends Error {}

export async function* exchangesIn(path: string): AsyncGenerator<HarExchange | LeftOut> {
  let entry = 0;
  for await (const value of entriesIn(path)) {
    entry += 1;
    const [error] = schemaErrors(entrySchema, value);
    if (error !== undefined)
      throw new HarError(`entry ${entry}: ${error.pointer} ${error.problem}${contrast(error.problem, error.found)}`);
    yield exchangeOf(value as HarEntry, entry, path); // its schema has been checked
  }
  if (entry === 0) throw new HarError('there is no entry: expected a HAR file, with its requests in log.entries');
}

async function* entriesIn(path: string): AsyncGenerator<unknown> {
  const found: unknown[] = [];
  const parser = new JSONParser({ paths: ['$.log.entries.*'], keepStack: false });
  parser.onValue = ({ value }) => void found.push(value);
  try {
    for await (const chunk of createReadStream(path)) {
      parser.write(chunk as Buffer); // without an encoding
      yield* found.splice(0);
    }
  } catch (error) {
    const isOfSystem = error instanceof Error && 'code' in error;
    throw new HarError(isOfSystem ? readFailure(error) : `no JSON: ${(error as Error).message}`);
  }
  if (!parser.isEnded) throw new HarError('the JSON ends too early');
}

/** Of no use to a fake of an API. */
const STATIC = /^(?:image|font|video|audio)\/|^text\/css|javascript/;

function exchangeOf(given: HarEntry, entry: number, path: string): HarExchange | LeftOut {
  const { request, response, startedDateTime = '', _caller: caller } = given;
  const { method, postData = {} } = request;
  const { content = {}, status } = response;
  const left = (why: string) => ({ entry, asked: `${method} ${redactUrl(request.url)}`, why });
  const url = parsedUrl(request.url);
  const at = new Date(startedDateTime);
  if (url === undefined || !/^https?:$/.test(url.protocol)) return left('Its URL is not one of HTTP.');
  if (status < 200 || status > 599) return left('It has no response.');
  const responseHeaders = byName(response.headers, content.mimeType);
  const { 'content-type': type = '' } = responseHeaders;
  if (STATIC.test(type)) return left(`It is for a static file (${type}).`);
  const exchange = {
    method,
    url: `${url.pathname}${url.search}`,
    request: seen({ host: url.host, ...byName(request.headers, postData.mimeType) }, bytesOf(postData, entry, path)),
    status,
    response: seen(responseHeaders, bytesOf(content, entry, path)),
    duration: 0,
  };
  return { entry, at: Number.isNaN(at.getTime()) ? new Date(0) : at, url, exchange, ...(caller && { caller }) };
}

function seen(headers: SeenMessage['headers'], body: Buffer): SeenMessage {
  const length = body.length > 0 && { 'content-length': String(body.length) };
  const message = new SeenMessage({ ...headers, ...length }, MAX_EXAMINED);
  message.add(body);
  message.isComplete = true;
  return message;
}

/** HTTP/2 has fields such as `:method` among its headers. */
function byName(list: HarEntry['request']['headers'], type = ''): Record<string, string> {
  const pairs = list.map(({ name, value }) => [name.toLowerCase(), value] as const);
  const all = [['content-type', type] as const, ...pairs];
  return Object.fromEntries(all.filter(([name, value]) => value !== '' && !name.startsWith(':')));
}

function bytesOf({ text = '', encoding, _file }: Shape<typeof content>, entry: number, path: string): Buffer {
  if (_file === undefined) return Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
  try {
    return readFileSync(join(dirname(path), basename(_file)));
  } catch (error) {
    throw new HarError(`entry ${entry}: the body is in the file ${basename(_file)}, ${readFailure(error)}`);
  }
}
