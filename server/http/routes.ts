// The routes of the operations, declared on @koa/router from the bindings: the place below a canonical prefix decides, whatever prefix and context came before it.
import Router from '@koa/router';
import { decodes } from '../engine/percent.js';
import type { Session } from '../engine/session.js';
import { type Address, canonicalPrefix, locate } from '../operations/address.js';
import { endpoints } from '../operations/bindings.js';
import type { Context, Middleware, RequestState } from './context.js';
import { type Answering, exchange } from './exchange.js';

export function operationRoutes(session: Session, answering: Answering): Middleware {
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  for (const endpoint of endpoints) {
    const path = `${canonicalPrefix(endpoint.family)}${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`;
    router.all(path, ctx => {
      const place = { address: ctx.state.address, endpoint, params: ctx.params };
      return exchange(session, ctx as unknown as Context, place, answering); // the router adds its own members to Koa's context
    });
  }
  const route = router.routes() as unknown as Middleware; // as above
  return ctx => {
    const address = locate(ctx.path);
    if (!decodes(ctx.path)) return exchange(session, ctx, { address }, answering);
    if (address === undefined) return exchange(session, ctx, { params: {} }, answering);
    ctx.state.address = address;
    Object.assign(ctx, { newRouterPath: canonicalPath(address) }); // where the router looks for its routes, if it is there
    return route(ctx, () => exchange(session, ctx, { params: {}, address }, answering));
  };
}

function canonicalPath({ family, rest }: Address): string {
  return `${canonicalPrefix(family)}${rest}`;
}
