// The routes of the operations, declared on @koa/router from the bindings: the place below a canonical prefix decides, whatever prefix and context came before it.
import Router from '@koa/router';
import type { Session } from '../engine/session.js';
import { type Address, canonicalPrefix, locate } from '../operations/address.js';
import { type Endpoint, endpoints } from '../operations/bindings.js';
import type { Context, Middleware, RequestState } from './context.js';
import { exchange } from './exchange.js';

const noParams: Readonly<Record<string, string>> = Object.freeze({});

export function operationRoutes(session: Session, explain: boolean): Middleware {
  const router = operationRouter((ctx, endpoint, params) =>
    exchange(session, ctx, { address: ctx.state.address, endpoint, params }, explain),
  );
  const route = router.routes() as unknown as Middleware; // the router adds its own members to Koa's context
  return ctx => {
    const address = locate(ctx.path);
    if (!decodes(ctx.path)) return exchange(session, ctx, { address }, explain);
    if (address === undefined) return exchange(session, ctx, { params: noParams }, explain);
    const path = canonicalPath(address);
    const endpoint = literalEndpoints.get(path);
    if (endpoint !== undefined) return exchange(session, ctx, { address, endpoint, params: noParams }, explain);
    ctx.state.address = address;
    Object.assign(ctx, { newRouterPath: path }); // where the router looks for its routes, if it is there
    return route(ctx, () => exchange(session, ctx, { params: noParams, address }, explain));
  };
}

/** The router with a route for each endpoint, whatever the method: which one is served depends on the readings. */
export function operationRouter(
  answer: (ctx: Context, endpoint: Endpoint, params: Readonly<Record<string, string>>) => Promise<void>,
): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  for (const endpoint of endpoints) {
    const path = pathOf(endpoint).replace(/\{(\w+)\}/g, ':$1');
    router.all(path, ctx => answer(ctx as unknown as Context, endpoint, ctx.params));
  }
  return router;
}

/**
 * The endpoints without a path parameter, by their whole path. The router tries its routes one after the other, which is felt; of these
 * paths there is nothing to try. A test holds the two against each other.
 */
export const literalEndpoints: ReadonlyMap<string, Endpoint> = new Map(
  endpoints.filter(({ path }) => !path.includes('{')).map(endpoint => [pathOf(endpoint), endpoint]),
);

function pathOf({ family, path }: Endpoint): string {
  return `${canonicalPrefix(family)}${path}`;
}

function canonicalPath({ family, rest }: Address): string {
  return `${canonicalPrefix(family)}${rest}`;
}

function decodes(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false; // told in the refusal
  }
}
