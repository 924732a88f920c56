// The JSON object of an answer, or why there is none.

import { isObject } from '../../../server/domain/form/patch.js';
import { parsedJson } from '../../../server/engine/parsed-json.js';
import { redactUrl } from '../../../server/engine/secrets.js';
import type { Json } from '../contract/contract.js';
import { type Found, finding } from '../pacts/found.js';
import type { NoReply, Reply } from './ask.js';
import type { Credentials } from './broker-credentials.js';
import { refusalIn } from './refusal.js';

export interface JsonReply {
  readonly json: Json;
  /** The body text. */
  readonly text: string;
  /** The URL after redirects. */
  readonly url: URL;
}

export function jsonIn(reply: Reply | NoReply, credentials: Credentials): JsonReply | { readonly found: Found } {
  if ('unreachable' in reply) return { found: finding({ unreachable: [reply.unreachable] }) };
  if ('problem' in reply) return { found: finding({ problems: [reply.problem] }) };
  const refusal = refusalIn(reply, credentials);
  if (refusal !== undefined) return { found: finding({ problems: [refusal] }) };
  const { text, url, type } = reply;
  const value = parsedJson(text);
  if (isObject(value)) return { json: value, text, url };
  const is =
    type === 'text/html'
      ? 'a web page'
      : value === undefined
        ? 'a body that is not JSON'
        : 'JSON that is not an object';
  const right = 'give the URL of a pact or of the root of a Pact Broker';
  return { found: finding({ problems: [`${redactUrl(url.href)} answers with ${is}: ${right}.`] }) };
}
