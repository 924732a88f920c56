// One request of a load, sent alone on a connection of its own.
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { authorization } from './load.js';

/** Sends a line as loads have them, "METHOD path body" with tabs between, and gives the status of the whole response. */
export function send(url: string, line: string): Promise<number> {
  const [method = '', path = '', body = ''] = line.split('\t');
  const headers = { authorization, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sending = request(`${url}${path}`, { method, headers, agent: false }, response => {
      response.once('error', reject).resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    sending.once('error', reject);
    sending.end(body);
  });
}

/** The first request of a file. */
export function firstOf(requests: string): string {
  return readFileSync(requests, 'utf8').split('\n', 1)[0] ?? '';
}
