// Compares a response with the model's, and a sandbox's journal with the model. Sends nothing.
import { isDeepStrictEqual } from 'node:util';
import { isResourceId } from '../../../server/operations/catalog/catalog.js';
import type { ModelRequest } from '../../model/effects.js';
import { type ModelWorld, readWorld, written } from '../../model/model-world.js';
import { defaults } from '../../model/readings.js';
import { isLike, respond as modelResponse, type Performed, type Reply } from '../../model/responses.js';
import type { ApiResponse } from './response-reader.js';

/** The instant at which the clocks of all sandboxes stand. */
export const NOW = '2026-01-05T09:00:00Z';

/** A sandbox in the model: the world, and what was performed in it since its start. */
export class Shadow {
  readonly performed: Array<{ readonly operation: string | undefined; readonly status: number }> = [];
  readonly #form: object;
  world: ModelWorld;

  /** `form`: the JSON form of its initial world. */
  constructor(form: object) {
    this.#form = form;
    this.world = this.#begin();
  }

  perform(request: ModelRequest): Performed {
    const performed = modelResponse(this.world, defaults, NOW, request);
    this.performed.push({ operation: performed.operation, status: performed.reply.status });
    return performed;
  }

  reset(): void {
    this.performed.length = 0;
    this.world = this.#begin();
  }

  /** The difference to another world, at most 1,500 characters; `undefined`: none. */
  difference(form: unknown): string | undefined {
    const found = differences(form, written(this.world), '');
    return found.length === 0 ? undefined : found.join('; ').slice(0, 1_500);
  }

  #begin(): ModelWorld {
    return readWorld(structuredClone(this.#form) as Readonly<Record<string, unknown>>); // the model modifies its input
  }
}

/** Each innermost value in which two JSON values differ, with its path. */
function differences(other: unknown, own: unknown, path: string): string[] {
  if (isDeepStrictEqual(own, other)) return [];
  if (!isObject(own) || !isObject(other))
    return [`${path} ${JSON.stringify(other)?.slice(0, 500)} and not ${JSON.stringify(own)?.slice(0, 500)}`];
  return Object.keys({ ...own, ...other }).flatMap(name => differences(other[name], own[name], `${path}/${name}`));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The error in a response that the model knows. `sandbox`: the one it must name. */
export function wrongIn(reply: Reply, { status, headers, body }: ApiResponse, sandbox: string): string | undefined {
  if (status !== reply.status)
    return `answered ${status}, and the model says ${reply.status}: ${body.toString('utf8').slice(0, 300)}`;
  if (headers.get('x-fake-sandbox') !== sandbox) return `answered for the sandbox ${headers.get('x-fake-sandbox')}`;
  const text = body.toString('utf8');
  if (reply.body === undefined)
    return text === '' ? undefined : `answered with a body where there is none: ${text.slice(0, 200)}`;
  const value = parsed(text);
  return isLike(reply.body, value)
    ? undefined
    : `answered ${text.slice(0, 300)}, and the model says ${JSON.stringify(reply.body).slice(0, 300)}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no JSON equals the model's
  }
}

/** A journal entry as the control API returns it. */
export interface Entry {
  readonly id: number;
  readonly method: string;
  readonly url: string;
  readonly operation?: string;
  readonly caller?: string;
  readonly ignoredCaller?: string;
  readonly credentialsProblem?: string;
  readonly gaps: Readonly<Record<string, string>>;
  readonly readings?: string;
  readonly refused?: string;
  readonly request: { readonly contentType: string; readonly body?: string; readonly unread?: ModelRequest['body'] };
  readonly response: { readonly status: number; readonly body?: string };
}

/** Performs an entry on a shadow; returns the differences to the model's response. */
export function replayed(shadow: Shadow, entry: Entry): string | undefined {
  if (entry.refused === 'unknown-reading' && entry.response.status === 400) return undefined; // how readings are parsed is the server's own affair
  const { status, body = '' } = entry.response;
  if (isOfProduct(entry)) {
    shadow.performed.push({ operation: entry.operation, status });
    return undefined;
  }
  const { operation, reply } = shadow.perform(requestIn(entry, shadow.world));
  const shown = `entry ${JSON.stringify(entry).slice(0, 1_200)}`;
  if (operation !== entry.operation) return `${shown} meant ${entry.operation}, and the model says ${operation}`;
  if (status !== reply.status)
    return `${shown} was answered ${status} ${body.slice(0, 300)}, and the model says ${reply.status}`;
  if (operation === undefined && entry.url.includes('#')) return undefined; // the fragment may decide whose error body it is
  if (entry.method === 'HEAD' || isLike(reply.body, body === '' ? undefined : parsed(body))) return undefined;
  return `${shown} was answered ${body.slice(0, 300)}, and the model says ${JSON.stringify(reply.body)}`;
}

/** Changed bytes can turn an address into a resource of Confluence or Jira, which the model does not have and which change no world. */
function isOfProduct({ operation, refused }: Entry): boolean {
  return isResourceId(operation) || refused?.startsWith('rest-api-') === true;
}

/** The request as the server understood it. */
function requestIn(entry: Entry, world: ModelWorld): ModelRequest {
  const { method, url, readings, request } = entry;
  const { contentType, body, unread } = request;
  const read: ModelRequest['body'] =
    unread ?? (body === undefined ? { kind: 'absent' } : { kind: 'json', value: JSON.parse(body), text: body });
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/s, ''); // what is equivalent in an address
  return {
    method,
    url: path,
    credentials: credentialsIn(entry, world),
    contentType,
    body: read,
    ...(readings !== undefined && { readings: tidy(readings) }),
  };
}

/** Under `auth-scheme=basic` a token counts as no credentials, whether it is right or wrong. */
function credentialsIn(
  { caller, ignoredCaller, credentialsProblem, gaps }: Entry,
  world: ModelWorld,
): ModelRequest['credentials'] {
  if (gaps['auth-scheme'] === 'basic') return { kind: 'none' };
  if (credentialsProblem !== undefined) return { kind: 'unreadable', problem: credentialsProblem, like: '' };
  const name = caller ?? ignoredCaller ?? 'anonymous';
  if (name === 'anonymous') return { kind: 'none' };
  return { kind: 'basic', user: name, password: world.users.get(name)?.password ?? '' };
}

/** Blanks around the parts of `gap=reading, …` mean nothing. */
function tidy(readings: string): string {
  return readings.replace(/\s*([=,])\s*/g, '$1').trim();
}
