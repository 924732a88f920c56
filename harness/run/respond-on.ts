// Answers a request on a world as a server without explanations does, without a socket, a sandbox or a journal. Pure: a world that is changed is another one afterwards.

import type { HttpRequest } from '../../server/derive/sending/call.js';
import { evolveAll } from '../../server/domain/facts.js';
import type { World } from '../../server/domain/world/world.js';
import { bodyFrom } from '../../server/engine/request/body-bytes.js';
import type { Body } from '../../server/engine/request/request.js';
import type { DecisionContext } from '../../server/engine/request/stage.js';
import { runStages } from '../../server/engine/request/stages/run-stages.js';
import { DEFAULT_SANDBOX } from '../../server/engine/sandbox/state.js';
import { findPlace } from '../../server/http/incoming/find-endpoint.js';
import { requestFrom } from '../../server/http/incoming/request-from.js';
import type { Received } from '../../server/scenario/play/target.js';

/** A response, and the world after it. */
export interface ResponseOn {
  readonly response: Received;
  readonly after: World;
}

/** The path has to be as it is sent; the body, if there is one, in no content coding. */
export function respondOn(context: DecisionContext, asked: HttpRequest): ResponseOn {
  const [path = '', query = ''] = asked.path.split(/\?(.*)/s, 2);
  const headers: Record<string, string> = { host: 'localhost' };
  for (const [name, value] of Object.entries(asked.headers)) headers[name.toLowerCase()] = value.trim();
  const head = { method: asked.method, url: asked.path, headers, socket: {} };
  const arrived = { url: asked.path, query, body: bodyOf(asked), sandbox: DEFAULT_SANDBOX, isNamed: false };
  const result = runStages(requestFrom(head, findPlace(path), arrived), context, false);
  const { status, headers: given, body = '' } = result.response;
  const fields: Record<string, string> = {};
  for (const name in given) fields[name.toLowerCase()] = given[name] ?? '';
  const text = asked.method === 'HEAD' ? '' : body;
  return { response: { status, headers: fields, text }, after: evolveAll(context.world, result.facts) };
}

function bodyOf(asked: HttpRequest): Body {
  return asked.body === undefined ? { kind: 'absent' } : bodyFrom(Buffer.from(asked.body));
}
