// Valid and invalid requests of each operation: their meaning, not their bytes. The model answers each.
import fc from 'fast-check';
import type { ModelRequest } from '../../model/effects.js';
import { plainRequests, requests } from '../../model/requests.js';
import type { Dice } from './dice.js';
import { oddBody } from './odd-bodies.js';

/** The largest body that the server under test reads, in bytes. */
export const MAX_BODY = 65_536;

export interface Asked {
  /** Its url without the sandbox. */
  readonly request: ModelRequest;
  /** The bytes of the body before any coding; absent: there is none. */
  readonly bytes?: Buffer;
}

/** `isPlain`: an ordinary request; otherwise the body and anything else may be unusual. */
export function askedBy(dice: Dice, isPlain = false): Asked {
  const [request] = fc.sample(isPlain ? plainRequests : requests, { numRuns: 1, seed: dice.under(2 ** 31) }) as [
    ModelRequest,
  ];
  if (isPlain) return withBytes(request);
  const methods = ['POST', 'PUT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH'] as const;
  const other = { ...request, method: dice.in100(5) ? dice.pick(methods) : request.method };
  if (!dice.in100(15)) return withBytes(other);
  const { body, bytes } = oddBody(dice, MAX_BODY);
  return withBytes({ ...other, body }, bytes);
}

function withBytes(request: ModelRequest, bytes = bytesOf(request.body)): Asked {
  return bytes === undefined ? { request: { ...request, contentType: '' } } : { request, bytes };
}

function bytesOf(body: ModelRequest['body']): Buffer | undefined {
  if (body.kind === 'absent') return undefined;
  if (body.kind === 'not-utf8') return Buffer.from([0x22, 0xff, 0x22]);
  return Buffer.from('text' in body ? body.text : '');
}
