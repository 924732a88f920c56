// Detects which of the two APIs a server has. A server that gives the same answer everywhere has none. Changes nothing.
import type { World } from '../../domain/world.js';
import type { Family } from '../../operations/operation.js';
import type { Step } from '../../scenario/format/step-format.js';
import { requestOf } from '../../scenario/play/asking.js';
import { type Target, Unreachable } from '../../scenario/play/target.js';

/** The admin and the users for requests. */
export interface Asker {
  /** The name of an admin. */
  readonly admin: string;
  readonly world: World;
  readonly passwords: ReadonlyMap<string, string>;
  /** Letters and digits that no run before had. */
  readonly run: string;
}

/** The missing families with reasons. Rejects with `Unreachable` if the server has nothing at all. */
export async function absentFamilies(target: Target, asker: Asker): Promise<ReadonlyMap<Family, string>> {
  const nothing = await statusOf(target, asker, nowhere(asker));
  const wiki: number[] = [];
  for (const prefix of ['rest', 'rest-api', 'bare'] as const) {
    if (!wiki.includes(401)) wiki.push(await statusOf(target, asker, free(asker, prefix))); // more of a wrong password would lock it out
  }
  const ppf = await statusOf(target, asker, { say: '', as: asker.admin, call: 'ppf.push', body: {} });
  const all = [nothing, ...wiki, ppf];
  if (all.every(status => status === 404)) throw new Unreachable(notHere(target));
  if (isSuccess(nothing)) {
    const why = `it answers ${nothing} at paths at which there is nothing, too`;
    return new Map([
      ['wiki', why],
      ['ppf', why],
    ]);
  }
  const wikiError = wiki.some(isSuccess) ? undefined : errorOf('the wiki operations', wiki, asker);
  const isThere = isSuccess(ppf) || (ppf >= 400 && ppf < 500 && ![401, 403, 404, 405].includes(ppf));
  const ppfError = isThere ? undefined : errorOf('push and pull', [ppf], asker);
  return new Map([
    ...(wikiError === undefined ? [] : [['wiki', wikiError] as const]),
    ...(ppfError === undefined ? [] : [['ppf', ppfError] as const]),
  ]);
}

/** Rejects with `Unreachable` if the server no longer answers. */
export async function checkReachable(target: Target, asker: Asker): Promise<void> {
  await statusOf(target, asker, nowhere(asker));
}

function nowhere({ admin, run }: Asker): Step {
  return { say: '', as: admin, request: { method: 'POST', path: `/rest/cwx-nothing-${run}/latest/spaces/isUnique` } };
}

function free({ admin, run }: Asker, prefix: 'rest' | 'rest-api' | 'bare'): Step {
  const query = { spaceKey: `CWXFREE${run}`, spaceName: `CWX free ${run}` };
  return { say: '', as: admin, call: 'spaces.is-unique', query, readings: { 'wiki-prefix': prefix } };
}

async function statusOf(target: Target, { world, passwords }: Asker, step: Step): Promise<number> {
  const asking = { world, passwords, context: target.context, readings: {}, asksReadings: false };
  const request = requestOf(step, asking);
  if (request === undefined) throw new Error('the step asks nothing');
  return (await target.send(request)).status;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function errorOf(what: string, statuses: readonly number[], { admin }: Asker): string {
  const refused = statuses.find(status => status === 401 || status === 403);
  if (refused !== undefined) return `${what} refuse ${admin} with ${refused}`;
  return `${what} are not there: they answer ${[...new Set(statuses)].join(' or ')}`;
}

function notHere({ url, context }: Target): string {
  const hint =
    context === ''
      ? `if the server has a context path, it belongs into the URL, as in ${url}/wiki`
      : `perhaps the server has another context path than ${context}, or none`;
  return `${url}${context} answers 404 to everything: ${hint}`;
}
