// Asks a resource of Confluence or Jira on a world, without a server: path and query as a client writes them.

import { evolveAll } from '../../../server/domain/facts.js';
import type { World } from '../../../server/domain/world/world.js';
import { type Body, type Credentials, parseQuery } from '../../../server/engine/request/request.js';
import type { Result } from '../../../server/engine/request/result.js';
import { runStages } from '../../../server/engine/request/stages/run-stages.js';
import { findPlace } from '../../../server/http/incoming/find-endpoint.js';
import { defaultReadings, layReadings, type SomeReadings } from '../../../server/operations/gaps/gaps.js';
import type { ResourceRequest } from '../../../server/operations/rest-api/resource.js';
import { smallTeam } from './ask.js';

export const BASE = 'http://127.0.0.1:8080';

export interface ResourceQuestion {
  readonly on?: World;
  /** A user with the name for a password; left out, the anonymous caller. */
  readonly as?: string | undefined;
  readonly credentials?: Credentials;
  readonly method?: string;
  readonly json?: unknown;
  readonly body?: Body;
  readonly readings?: SomeReadings;
  readonly resource?: Partial<ResourceRequest>;
}

/** What came of it. `json` is the body, parsed. */
interface ResourceResponse extends Result {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
  readonly world: World;
}

export function askResource(url: string, question: ResourceQuestion = {}): ResourceResponse {
  const { on = smallTeam, as, method = 'GET', json, resource } = question;
  const [path = '', ...query] = url.split('?');
  const result = runStages(
    {
      ...findPlace(path),
      method,
      url,
      query: parseQuery(query.join('?')),
      credentials:
        question.credentials ?? (as === undefined ? { kind: 'none' } : { kind: 'basic', user: as, password: as }),
      contentType: 'application/json',
      body:
        question.body ??
        (json === undefined ? { kind: 'absent' } : { kind: 'json', value: json, text: JSON.stringify(json) }),
      resource: { base: BASE, ...resource },
    },
    { world: on, readings: layReadings(defaultReadings, question.readings), now: '2026-01-05T09:00:00Z' },
  );
  const { status, body } = result.response;
  return {
    ...result,
    status,
    json: body === undefined ? undefined : JSON.parse(body),
    world: evolveAll(on, result.facts),
  };
}

export function each(list: ReadonlyArray<Readonly<Record<string, unknown>>>, field: string): unknown[] {
  return list.map(one => one[field]);
}
