// Reads the requests of a HAR file, one after another, however large the file is. Browsers, Playwright and mitmproxy write what HAR 1.2 asks for,
// with some parts absent.
import { createReadStream, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as Type from '@sinclair/typebox';
import { JSONParser } from '@streamparser/json';
import type { Shape } from '../../server/domain/json/shape.js';
import { contrast, schemaErrors } from '../../server/engine/request/validate.js';
import { parsedUrl } from '../../server/outgoing/parsed-url.js';
import { readFailure } from '../../server/scenario/yaml/text.js';

const text = Type.String();
const headers = Type.Array(Type.Object({ name: text, value: text }));
const file = Type.Optional(Type.String({ description: 'Playwright keeps bodies in files beside the HAR file.' }));

const entrySchema = Type.Object({
  startedDateTime: Type.Optional(text),
  _caller: Type.Optional(text),
  request: Type.Object({
    method: text,
    url: text,
    headers,
    postData: Type.Optional(
      Type.Object({
        mimeType: Type.Optional(text),
        text: Type.Optional(text),
        _file: file,
      }),
    ),
  }),
  response: Type.Object({
    status: Type.Integer(),
    headers,
    content: Type.Optional(
      Type.Object({
        mimeType: Type.Optional(text),
        text: Type.Optional(text),
        encoding: Type.Optional(text),
        _file: file,
      }),
    ),
  }),
});
type HarEntry = Shape<typeof entrySchema>;

/** A request and its response. */
export interface HarExchange {
  /** Its number in the file, from 1. */
  readonly entry: number;
  readonly at: Date;
  readonly method: string;
  readonly url: URL;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly status: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: Buffer;
  /** What the journal of a fake says of the caller. */
  readonly caller?: string;
}

/** An entry without a step. */
export interface LeftOutEntry {
  readonly entry: number;
  readonly asked: string;
  readonly why: string;
}

/** What is wrong with a HAR file. */
export class HarError extends Error {}

export async function* exchangesIn(path: string): AsyncGenerator<HarExchange | LeftOutEntry> {
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
    if (error instanceof HarError) throw error;
    throw new HarError(
      (error as NodeJS.ErrnoException).code ? readFailure(error) : `no JSON: ${(error as Error).message}`,
    );
  }
  if (!parser.isEnded) throw new HarError('the JSON ends too early');
}

/** Of no use to a fake of an API. */
const STATIC = /^(?:image|font|video|audio)\/|^text\/css|javascript/;

function exchangeOf(given: HarEntry, entry: number, path: string): HarExchange | LeftOutEntry {
  const { request, response, startedDateTime = '', _caller: caller } = given;
  const { method, postData } = request;
  const { content = {}, status } = response;
  const left = (why: string) => ({ entry, asked: `${method} ${request.url}`, why });
  const url = parsedUrl(request.url);
  const at = new Date(startedDateTime);
  if (url === undefined || !/^https?:$/.test(url.protocol)) return left('Its URL is not one of HTTP.');
  if (status < 200 || status > 599) return left('It has no response.');
  const { 'content-type': type = content.mimeType ?? '', ...responseHeaders } = byName(response.headers);
  if (STATIC.test(type)) return left(`It is for a static file (${type}).`);
  return {
    entry,
    at: Number.isNaN(at.getTime()) ? new Date(0) : at,
    method,
    url,
    headers: {
      host: url.host,
      ...(postData?.mimeType && { 'content-type': postData.mimeType }),
      ...byName(request.headers),
    },
    body: bytesOf(postData ?? {}, entry, path),
    status,
    responseHeaders: { ...(type !== '' && { 'content-type': type }), ...responseHeaders },
    responseBody: bytesOf(content, entry, path),
    ...(caller !== undefined && { caller }),
  };
}

/** HTTP/2 has fields such as `:method` among its headers. */
function byName(list: HarEntry['request']['headers']): Record<string, string> {
  return Object.fromEntries(
    list.filter(({ name }) => !name.startsWith(':')).map(({ name, value }) => [name.toLowerCase(), value]),
  );
}

type Content = NonNullable<HarEntry['response']['content']>;

function bytesOf({ text = '', encoding, _file }: Content, entry: number, path: string): Buffer {
  if (_file === undefined) return Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
  try {
    return readFileSync(join(dirname(path), basename(_file)));
  } catch (error) {
    throw new HarError(`entry ${entry}: the body is in the file ${basename(_file)}, ${readFailure(error)}`);
  }
}
