// Detects which of the two APIs a server has. A server that gives the same response everywhere has none. Changes nothing.
import type { Family } from '../../server/operations/operation.js';
import type { Step } from '../../server/scenario/format/step-format.js';
import { requestOfStep } from '../../server/scenario/play/step-request.js';
import { type Target, Unreachable } from '../../server/scenario/play/target.js';
import type { NamesThere } from '../names/name-map.js';

interface Asker {
  readonly names: NamesThere;
  /** The value of `${run}`. */
  readonly run: string;
}

export interface Absence {
  readonly why: string;
  /** Whether it is there, but refuses the admin. */
  readonly isRefused: boolean;
}

/** The missing families with reasons. Rejects with `Unreachable` if the server has nothing at all. */
export async function absentFamilies(
  target: Target,
  names: NamesThere,
  run: string,
): Promise<ReadonlyMap<Family, Absence>> {
  const asker = { names, run };
  const nothing = await statusOf(target, asker, nowhere(asker));
  const wiki: number[] = [];
  for (const prefix of ['rest', 'rest-api', 'bare'] as const) {
    if (!wiki.includes(401)) wiki.push(await statusOf(target, asker, free(asker, prefix))); // another attempt with a wrong password could lock the user out
  }
  const ppf = await statusOf(target, asker, { say: '', as: names.adminThere, call: 'ppf.push', body: {} });
  const all = [nothing, ...wiki, ppf];
  if (all.every(status => status === 404)) throw new Unreachable(notHere(target));
  if (isSuccess(nothing)) {
    const absence = { why: `the server responds with ${nothing} even to unknown paths`, isRefused: true };
    return new Map([
      ['wiki', absence],
      ['ppf', absence],
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

function nowhere({ names, run }: Asker): Step {
  return {
    say: '',
    as: names.adminThere,
    request: { method: 'POST', path: `/rest/cwx-nothing-${run}/latest/spaces/isUnique` },
  };
}

function free({ names, run }: Asker, prefix: 'rest' | 'rest-api' | 'bare'): Step {
  const query = { spaceKey: `CWXFREE${run}`, spaceName: `CWX free ${run}` };
  return { say: '', as: names.adminThere, call: 'spaces.is-unique', query, readings: { 'wiki-prefix': prefix } };
}

async function statusOf(target: Target, { names: { world, passwords } }: Asker, step: Step): Promise<number> {
  const asking = { world, passwords, context: target.context, readings: {}, asksReadings: false };
  const request = requestOfStep(step, asking);
  if (request === undefined) throw new Error('the step sends no request');
  return (await target.send(request)).status;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function errorOf(what: string, statuses: readonly number[], { names }: Asker): Absence {
  const refused = statuses.find(status => status === 401 || status === 403);
  if (refused !== undefined) return { why: `${what} refuse ${names.adminThere} with ${refused}`, isRefused: true };
  return {
    why: `the server does not have ${what}: it responds with ${[...new Set(statuses)].join(' or ')}`,
    isRefused: false,
  };
}

function notHere({ url, context }: Target): string {
  const hint =
    context === ''
      ? `if the server has a context path, add it to the URL, as in ${url}/wiki`
      : `check the context path ${context}`;
  return `${url}${context} responds with 404 to everything: ${hint}`;
}
