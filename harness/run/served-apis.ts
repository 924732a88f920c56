// Detects which of the two APIs a server has. A server that gives the same response everywhere has none. Changes nothing.

import type { Family } from '../../server/operations/operation.js';
import type { Step } from '../../server/scenario/format/step-format.js';
import { requestOfStep } from '../../server/scenario/play/step-request.js';
import { type Received, type Target, Unreachable } from '../../server/scenario/play/target.js';
import type { NamesThere } from '../names/name-map.js';
import type { OtherServer } from '../target/other-servers.js';
import { isPassing, reasonIn } from '../target/patient-target.js';

/** The highest id that there can be. */
const NO_FILTER = 2_147_483_647;

interface Asker {
  readonly names: NamesThere;
  /** The value of `${run}`. */
  readonly run: string;
}

export interface Absence {
  readonly why: string;
  /** The status with which it refuses the admin, or every request, although it is there. Absent: it is not there. */
  readonly refusal?: number;
}

/** The missing families with reasons. Rejects with `Unreachable` if the server has nothing at all. */
export async function absentFamilies(
  target: Target & Partial<Pick<OtherServer, 'notGiven'>>,
  names: NamesThere,
  run: string,
): Promise<ReadonlyMap<Family, Absence>> {
  const asker = { names, run };
  const nothing = await response(target, asker, nowhere(asker));
  const wiki: Received[] = [];
  for (const prefix of ['rest', 'rest-api', 'bare'] as const) {
    if (wiki.some(({ status }) => status === 401)) break; // another attempt with a wrong password could lock the user out
    wiki.push(await response(target, asker, taken(asker, prefix)));
  }
  const push = (body: unknown) => response(target, asker, { say: '', as: names.adminThere, call: 'ppf.push', body });
  const invalid = await push({});
  const ppf = invalid.status === 403 ? await push({ users: [`nobody-${run}`], filters: [NO_FILTER] }) : invalid; // perhaps for its body
  if ([nothing, ...wiki, ppf].every(({ status }) => status === 404)) throw new Unreachable(notHere(target));
  const notGiven = [...(target.notGiven ?? [])].map(([family, why]) => [family, { why }] as const);
  if (isSuccess(nothing)) {
    const absence = {
      why: `the server responds with ${nothing.status} even to unknown paths`,
      refusal: nothing.status,
    };
    return new Map([
      ['wiki', absence],
      ['ppf', absence],
    ]);
  }
  const wikiError = wiki.some(one => isSuccess(one) || one.status === 409)
    ? undefined
    : errorOf('the wiki operations', wiki, asker);
  const { status } = ppf;
  const isThere = isSuccess(ppf) || (status >= 400 && status < 500 && ![401, 403, 404, 405].includes(status));
  const ppfError = isThere ? undefined : errorOf('push and pull', [ppf], asker);
  return new Map([
    ...(wikiError === undefined ? [] : [['wiki', wikiError] as const]),
    ...(ppfError === undefined ? [] : [['ppf', ppfError] as const]),
    ...notGiven,
  ]);
}

function nowhere({ names, run }: Asker): Step {
  return {
    say: '',
    as: names.adminThere,
    request: { method: 'POST', path: `/rest/cwx-nothing-${run}/latest/spaces/isUnique` },
  };
}

/** Whether a space of the fixture exists: a free one may be answered with 404. */
function taken({ names }: Asker, prefix: 'rest' | 'rest-api' | 'bare'): Step {
  const query = { spaceKey: 'ds', spaceName: 'Demonstration Space' };
  return { say: '', as: names.adminThere, call: 'spaces.is-unique', query, readings: { 'wiki-prefix': prefix } };
}

async function response(target: Target, { names: { world, passwords } }: Asker, step: Step): Promise<Received> {
  const asking = { world, passwords, context: target.context, readings: {}, asksReadings: false };
  const request = requestOfStep(step, asking);
  if (request === undefined) throw new Error('the step sends no request');
  return target.send(request);
}

function isSuccess({ status }: Received): boolean {
  return status >= 200 && status < 300;
}

function errorOf(what: string, responses: readonly Received[], { names }: Asker): Absence {
  const refused = responses.find(({ status }) => status === 401 || status === 403 || isPassing(status));
  if (refused !== undefined) {
    const whom = isPassing(refused.status) ? 'every request' : names.adminThere;
    return { why: `${what} refuse ${whom} with ${refused.status}${reasonIn(refused)}`, refusal: refused.status };
  }
  const statuses = new Set(responses.map(({ status }) => status));
  return { why: `the server does not have ${what}: it responds with ${[...statuses].join(' or ')}` };
}

function notHere({ url, context }: Target): string {
  const hint =
    context === ''
      ? `if the server has a context path, add it to the URL, as in ${url}/wiki`
      : `check the context path ${context}`;
  return `${url}${context} responds with 404 to everything: ${hint}`;
}
