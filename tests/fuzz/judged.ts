// Compares the journal of a sandbox with the model. Sends nothing.
import { expect } from 'chai';
import type { JournalEntry } from '../../server/engine/journal/journal-entry.js';
import { isResourceId } from '../../server/operations/catalog/catalog.js';
import type { ModelWorld } from '../model/model-world.js';
import type { ModelRequest } from '../model/operations/given.js';
import { defaults } from '../model/readings.js';
import { isLike, respond } from '../model/responses.js';

/** The instant at which the clocks of all sandboxes stand. */
export const NOW = '2026-01-05T09:00:00Z';

/** Performs an entry on a world, which it changes, and expects the model's response in it. */
export function replay(world: ModelWorld, entry: JournalEntry): void {
  const { status, body = '' } = entry.response;
  if (entry.refused === 'unknown-reading' && status === 400) return; // how readings are parsed is the server's own affair
  if (isResourceId(entry.operation) || entry.refused?.startsWith('rest-api-')) return; // the model has no resources, which change nothing
  const { operation, reply } = respond(world, defaults, NOW, requestIn(entry, world));
  const shown = JSON.stringify(entry).slice(0, 1_500);
  expect({ operation: entry.operation, status }, shown).to.deep.equal({ operation, status: reply.status });
  if (entry.method === 'HEAD' || (operation === undefined && entry.url.includes('#'))) return; // the fragment may decide whose error body it is
  const json = body === '' ? undefined : JSON.parse(body);
  if (!isLike(reply.body, json)) expect(json, shown).to.deep.equal(reply.body);
}

/** Expects that an entry has the request that was sent. */
export function expectRead(asked: ModelRequest, entry: JournalEntry, world: ModelWorld): void {
  const [sent, read] = [asked, requestIn(entry, world)].map(({ body, readings, url, credentials: _, ...rest }) => ({
    ...rest,
    url: url.replace(/^\/~\w+/, ''),
    readings: tidy(readings ?? ''),
    body: body.kind === 'json' ? JSON.stringify(body.value) : body.kind,
  }));
  expect(read).to.deep.equal(sent);
}

function requestIn(entry: JournalEntry, world: ModelWorld): ModelRequest {
  const { method, url, readings, request } = entry;
  const { contentType, body, unread } = request;
  const read: ModelRequest['body'] | undefined = unread?.kind === 'not-json' ? { ...unread, text: '' } : unread;
  return {
    method,
    url: url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/s, ''), // what is equivalent in an address
    credentials: credentialsIn(entry, world),
    contentType,
    body: read ?? (body === undefined ? { kind: 'absent' } : { kind: 'json', value: JSON.parse(body), text: body }),
    readings: readings && tidy(readings),
  };
}

/** Under `auth-scheme=basic` a token counts as no credentials, whether it is right or wrong. */
function credentialsIn(entry: JournalEntry, world: ModelWorld): ModelRequest['credentials'] {
  const { caller, ignoredCaller, credentialsProblem, gaps } = entry;
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
