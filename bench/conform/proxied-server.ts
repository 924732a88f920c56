// A correct server behind a small proxy that changes one behaviour: what is asked, what is answered, or whether anything comes of it.
// Knows no rules.

import type { HttpRequest } from '../../server/derive/sending/call.js';
import type { World } from '../../server/domain/world.js';
import { silentLog } from '../../server/engine/log.js';
import { DEFAULT_SANDBOX } from '../../server/engine/sandbox/session.js';
import { injecting } from '../../server/library/port/inject.js';
import type { SomeReadings } from '../../server/operations/gaps/gaps.js';
import type { Received, Target } from '../../server/scenario/play/target.js';
import { isProblems } from '../../server/scenario/yaml/problem.js';
import { type Assembled, assemble } from '../../server/server.js';
import { settingsFrom } from '../../server/settings.js';

/** A request as a proxy sees it. */
export interface Asked extends HttpRequest {
  /** The path without prefix and parameters: `groups/add-users`, `permissions/edit`, `push`; empty for anything else. */
  readonly place: string;
  /** The body, where it is a JSON object or list. */
  readonly json: unknown;
  /** How many requests came before it. */
  readonly count: number;
}

export interface Change {
  readonly request?: (asked: Asked) => Partial<HttpRequest> & { readonly json?: unknown };
  readonly answer?: (answer: Received, asked: Asked) => Partial<Received> & { readonly json?: unknown };
  /** Whether the world stays as it was; or what becomes of it instead. */
  readonly world?: (asked: Asked, after: World, before: World) => World | undefined;
}

export interface Proxied {
  readonly target: Target;
  end(): void;
}

export async function proxied(change: Change, readings: SomeReadings): Promise<Proxied> {
  const reading = Object.entries(readings).map(([gap, value]) => `${gap}=${value}`);
  const fake = await assemble(settingsFrom(undefined, { reading, control: 'off', 'no-explain': true }), silentLog);
  if (isProblems(fake)) throw new Error(JSON.stringify(fake.problems));
  const ask = injecting(fake.app);
  let count = 0;
  let last: Promise<unknown> = Promise.resolve();
  // One after the other: what a request has changed is read off the world before and after it.
  const send = (sent: HttpRequest): Promise<Received> => {
    const answer = last.then(() => answerTo(sent));
    last = answer.catch(() => undefined);
    return answer;
  };
  const answerTo = async (sent: HttpRequest): Promise<Received> => {
    const asked = askedOf(sent, count++);
    const { json: other, ...changed } = change.request?.(asked) ?? {};
    const request = { ...sent, ...changed, ...(other !== undefined && { body: JSON.stringify(other) }) };
    const before = change.world && (await worldOf(fake));
    const answer = await ask(request);
    if (change.world !== undefined && before !== undefined) {
      const after = await worldOf(fake);
      const instead = after === before ? undefined : change.world(asked, after, before);
      if (instead !== undefined && instead !== after) await replaceWorld(fake, instead);
    }
    const { json: told, ...answered } = change.answer?.(answer, asked) ?? {};
    return { ...answer, ...answered, ...(told !== undefined && { text: JSON.stringify(told) }) };
  };
  const target = { url: 'http://127.0.0.1:8080', context: '', send, close: async () => {} };
  return { target, end: () => fake.end() };
}

async function worldOf({ session }: Assembled): Promise<World> {
  const sandbox = await session.open(DEFAULT_SANDBOX);
  if (sandbox === undefined) throw new Error('the server has no sandbox');
  return sandbox.state.world;
}

async function replaceWorld({ session, loaded }: Assembled, world: World): Promise<void> {
  await session.drop(DEFAULT_SANDBOX);
  await session.create(DEFAULT_SANDBOX, { ...loaded.origin, world });
}

function askedOf(sent: HttpRequest, count: number): Asked {
  const [path = ''] = sent.path.split('?');
  const [, place = ''] = /\/latest\/((?:groups|spaces)\/[^/]+|permissions\/[^/]+|push|pull)/.exec(path) ?? [];
  return { ...sent, place, json: jsonOf(sent.body), count };
}

function jsonOf(body: HttpRequest['body']): unknown {
  try {
    return body === undefined
      ? undefined
      : JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(body)));
  } catch {
    return undefined;
  }
}
