// Compares the journal and the world of a sandbox with the model. Sends nothing.
import { isDeepStrictEqual } from 'node:util';
import { isResourceId } from '../../server/operations/catalog/catalog.js';
import { type ModelWorld, readWorld } from '../model/model-world.js';
import type { ModelRequest } from '../model/operations/given.js';
import { defaults } from '../model/readings.js';
import { isLike, respond as modelResponse, type Performed } from '../model/responses.js';

/** The instant at which the clocks of all sandboxes stand. */
export const NOW = '2026-01-05T09:00:00Z';

export class Shadow {
  readonly world: ModelWorld;

  /** `form`: the JSON form of its initial world. */
  constructor(form: object) {
    this.world = readWorld(structuredClone(form) as Readonly<Record<string, unknown>>); // the model modifies its input
  }

  perform(request: ModelRequest): Performed {
    return modelResponse(this.world, defaults, NOW, request);
  }
}

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
  if (isOfProduct(entry)) return undefined;
  const { operation, reply } = shadow.perform(requestIn(entry, shadow.world));
  const shown = `entry ${JSON.stringify(entry).slice(0, 1_200)}`;
  if (operation !== entry.operation) return `${shown} meant ${entry.operation}, and the model says ${operation}`;
  if (status !== reply.status)
    return `${shown} was answered ${status} ${body.slice(0, 300)}, and the model says ${reply.status}`;
  if (operation === undefined && entry.url.includes('#')) return undefined; // the fragment may decide whose error body it is
  if (entry.method === 'HEAD' || isLike(reply.body, body === '' ? undefined : JSON.parse(body))) return undefined;
  return `${shown} was answered ${body.slice(0, 300)}, and the model says ${JSON.stringify(reply.body)}`;
}

/** Changed bytes can turn an address into a resource of Confluence or Jira, which the model does not have and which change no world. */
function isOfProduct({ operation, refused }: Entry): boolean {
  return isResourceId(operation) || refused?.startsWith('rest-api-') === true;
}

export function mistaken(asked: ModelRequest, entry: Entry, { world }: Shadow): string | undefined {
  const { credentials: _, ...read } = requestIn(entry, world);
  const { credentials: __, ...sent } = asked;
  const [own, other] = [sent, read].map(({ body, readings, url, ...rest }) => ({
    ...rest,
    url: url.replace(/^\/~\w+/, ''),
    readings: tidy(readings ?? ''),
    body: body.kind === 'json' ? JSON.stringify(body.value) : body.kind,
  }));
  return isDeepStrictEqual(own, other) ? undefined : `${JSON.stringify(sent)} was read as ${JSON.stringify(read)}`;
}

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
