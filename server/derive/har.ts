// The journal as an HTTP Archive (HAR 1.2), with the rules and readings behind each response as comments.
import { STATUS_CODES } from 'node:http';
import { parsedJson } from '../domain/json/parsed-json.js';
import type { JournalEntry } from '../engine/journal/journal-entry.js';
import { parseQuery } from '../engine/request/request.js';

/** `root`: scheme, host and port of the fake; `version`: of cwx-fake. */
export function harOf(entries: readonly object[], version: string): object {
  const creator = { name: 'cwx-fake', version };
  return { log: { version: '1.2', creator, entries } };
}

const unknown = { cookies: [], headersSize: -1, httpVersion: 'HTTP/1.1' };

export function harEntry(entry: JournalEntry, root: string): object {
  const { at, method, url, request, response, forwarded, caller } = entry;
  const { body = '' } = response;
  const received = { ...response.headers, ...forwarded?.headers };
  const mimeType = received['Content-Type'] ?? typeOf(body);
  const sent = request.headers ?? (request.contentType === '' ? {} : { 'content-type': request.contentType });
  const duration = forwarded?.duration ?? entry.duration ?? 0;
  return {
    startedDateTime: at,
    time: duration,
    request: {
      ...unknown,
      method,
      url: `${root}${url}`,
      headers: named(Object.entries(sent)),
      queryString: named(parseQuery(url.split('?').slice(1).join('?')).pairs),
      bodySize: Buffer.byteLength(request.body ?? ''),
      ...(request.body !== undefined && { postData: { mimeType: request.contentType, text: request.body } }),
    },
    response: {
      ...unknown,
      status: response.status,
      statusText: STATUS_CODES[response.status] ?? '',
      headers: named(Object.entries(received)),
      content: { size: Buffer.byteLength(body), mimeType, ...(body !== '' && { text: body }) },
      redirectURL: received.Location ?? '',
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: duration, receive: 0 },
    comment: commentOf(entry),
    ...(caller !== undefined && { _caller: caller }),
  };
}

function named(pairs: ReadonlyArray<readonly [name: string, value: string]>): object[] {
  return pairs.map(([name, value]) => ({ name, value }));
}

function typeOf(body: string): string {
  if (body === '') return '';
  return parsedJson(body) === undefined ? 'text/plain' : 'application/json';
}

/** `groups.add-users; rules: groups.add-users; gaps: wiki-success=200`. */
function commentOf({ operation, rules, gaps, refused, fault, stub, forwarded }: JournalEntry): string {
  const readings = Object.entries(gaps).map(([gap, reading]) => `${gap}=${reading}`);
  const parts = { rules: rules.join(', '), gaps: readings.join(', '), refused, fault, stub, forwarded: forwarded?.to };
  const said = Object.entries(parts).flatMap(([name, text = '']) => (text === '' ? [] : [`${name}: ${text}`]));
  return [operation ?? 'no operation', ...said].join('; ');
}
