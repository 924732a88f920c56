// Asks one operation on a world, without a server: for tests of what the operations decide.

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { evolveAll } from '../../../server/domain/facts.js';
import { formOf, worldFrom } from '../../../server/domain/form/form.js';
import type { SparseWorldForm, WorldForm } from '../../../server/domain/form/form-shapes.js';
import type { World } from '../../../server/domain/world/world.js';
import {
  type Body,
  type Credentials,
  noQuery,
  parseQuery,
  type Request,
} from '../../../server/engine/request/request.js';
import type { Result } from '../../../server/engine/request/result.js';
import { runStages } from '../../../server/engine/request/stages/run-stages.js';
import { canonicalPrefix, locate } from '../../../server/operations/address.js';
import { endpoints } from '../../../server/operations/catalog/bindings.js';
import { type OperationId, operationOf } from '../../../server/operations/catalog/catalog.js';
import { defaultReadings, layReadings, type SomeReadings } from '../../../server/operations/gaps/gaps.js';
import type { Operation } from '../../../server/operations/operation.js';
import { isAddressGap } from '../../../server/operations/provenance.js';

export const smallTeam: World = worldFrom(
  parse(readFileSync(new URL('../../../fixtures/small-team.yaml', import.meta.url), 'utf8')) as SparseWorldForm,
);

export interface Question {
  readonly on?: World;
  /** A user without a password of its own, or `admin`, or `carol`; `null` is the anonymous caller. Default `admin`. */
  readonly as?: string | null;
  readonly credentials?: Credentials;
  readonly method?: string;
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string> | string;
  /** The JSON value of the body; left out, there is no body. */
  readonly json?: unknown;
  readonly body?: Body;
  readonly contentType?: string;
  readonly isSuspect?: true;
  readonly readings?: SomeReadings;
  readonly now?: string;
}

export interface Asked extends Result {
  /** Those that decided, but for those of the address and of the words, which every wiki request and every message meets. */
  readonly gaps: Result['gaps'];
  readonly allGaps: Result['gaps'];
  readonly status: number;
  readonly reply: unknown;
  readonly world: World;
  readonly form: WorldForm;
}

export function ask(id: OperationId, question: Question = {}): Asked {
  const operation = operationOf(id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  const { on = smallTeam, now = '2026-01-05T09:00:00Z' } = question;
  const readings = layReadings(defaultReadings, question.readings);
  const result = runStages(requestTo(operation, question), { world: on, readings, now });
  const world = evolveAll(on, result.facts);
  const { status, body } = result.response;
  const decided = Object.entries(result.gaps).filter(([gap]) => !isAddressGap(gap) && !gap.endsWith('-text'));
  return {
    ...result,
    gaps: Object.fromEntries(decided),
    allGaps: result.gaps,
    status,
    reply: body === undefined ? undefined : JSON.parse(body),
    world,
    get form() {
      return formOf(world); // written out only where it is asked for: a large world takes seconds
    },
  };
}

export function requestTo(operation: Operation, question: Question): Request {
  const { as = 'admin', params = {}, query = '' } = question;
  const path =
    canonicalPrefix(operation.family) +
    operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = typeof query === 'string' ? query : new URLSearchParams(query).toString();
  const address = locate(path);
  const endpoint = endpoints.find(other => other.family === operation.family && other.path === operation.path);
  if (address === undefined || endpoint === undefined) throw new Error(`no address for ${operation.id}`);
  return {
    method: question.method ?? operation.method,
    url: search === '' ? path : `${path}?${search}`,
    address,
    endpoint,
    params,
    query: search === '' ? noQuery : parseQuery(search),
    credentials: question.credentials ?? credentialsOf(as),
    contentType: question.contentType ?? 'application/json',
    body: question.body ?? bodyOf(question.json),
    ...(question.isSuspect && { isSuspect: true }),
  };
}

function credentialsOf(user: string | null): Credentials {
  return user === null ? { kind: 'none' } : { kind: 'basic', user, password: user };
}

function bodyOf(json: unknown): Body {
  return json === undefined ? { kind: 'absent' } : { kind: 'json', value: json, text: JSON.stringify(json) };
}
