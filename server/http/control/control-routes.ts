// Finds the action of a path and method. Nothing below `/_fake` is an operation. Actions on the sandbox of the request are also below `/~name`.
import type { Action } from '../../control/actions/action.js';
import { actions } from '../../control/actions.js';
import { expectedOf, nearest } from '../../engine/nearest.js';
import { sandboxIn } from '../../operations/address.js';
import { sharedPaths } from '../../operations/endpoint.js';
import type { ProblemDetails } from '../exchange/problem-details.js';
import type { Response } from '../exchange/response.js';
import type { ControlRoute } from '../exchange/route.js';
import { PathRouter } from '../incoming/path-router.js';

const CONTROL_PREFIX = '/_fake/v1';
/** Answered earlier, with or without a control API. */
const HEALTH = '/_fake/health';

export class ControlRoutes {
  readonly #router = new PathRouter(sharedPaths(actions), () => CONTROL_PREFIX);
  readonly #inSandboxes = pathsOf(actions.filter(({ inSandbox }) => inSandbox));
  readonly #unwatched = pathsOf(actions.filter(({ isUnwatched }) => isUnwatched));

  /** `undefined`: the path is none of the control API. */
  routeOf(path: string, method: string): ControlRoute | undefined {
    const own = path.startsWith('/~') ? sandboxIn(path).path : path;
    const isOwn = own === path ? path.startsWith('/_fake/') || path === '/_fake' : this.#inSandboxes.has(own);
    if (!isOwn) return undefined;
    const isUnwatched = this.#unwatched.has(own);
    const served = this.#router.at(own);
    const sharing = served?.found.endpoints ?? [];
    const action = sharing.find(one => one.method === (method === 'HEAD' ? 'GET' : method));
    if (action !== undefined) return { kind: 'action', action, params: served?.params ?? {}, isUnwatched };
    const allowed =
      own === HEALTH ? ['HEAD', 'GET'] : sharing.flatMap(one => (one.method === 'GET' ? ['HEAD', 'GET'] : one.method));
    return { kind: 'action', isUnwatched, otherwise: () => responseWithoutAction(path, method, allowed) };
  }
}

function pathsOf(some: readonly Action[]): ReadonlySet<string> {
  return new Set(some.map(({ path }) => `${CONTROL_PREFIX}${path}`));
}

function responseWithoutAction(path: string, method: string, allowed: readonly string[]): ProblemDetails | Response {
  const shown = JSON.stringify(path.slice(0, 200));
  const headers = { Allow: allowed.join(', ') };
  if (allowed.length === 0) {
    const near = nearest(path, [...pathsOf(actions), HEALTH]);
    const detail = `Unknown path ${shown}${near}: ${CONTROL_PREFIX}/control-openapi.json lists all paths.`;
    return { status: 404, title: 'No such path', detail };
  }
  if (method === 'OPTIONS' && path !== HEALTH) return { status: 200, headers, body: '' };
  const detail = `${method} is not allowed at ${shown}: ${expectedOf(allowed)}.`;
  return { status: 405, title: 'Method not allowed', detail, headers };
}
