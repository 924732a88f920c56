// The Koa application. A request to an operation is answered by the first middleware, from the request to the answer; the others are for everything
// else: what is refused, health, the front page, the control API. Listens nowhere.
import { join } from 'node:path';
import Koa from 'koa';
import type { Log } from '../engine/log.js';
import type { Session } from '../engine/sandbox/session.js';
import { packageRoot } from '../scenario/load/folders.js';
import { BodyReader, withBody } from './body/body.js';
import type { Outstanding } from './body/outstanding.js';
import type { Context, RequestState } from './context.js';
import { type ControlApi, type ControlSettings, controlApi } from './control/routes.js';
import { type Answering, Exchange } from './exchange.js';
import type { Forwarder } from './forwarding/forwarder.js';
import type { Cors } from './guards/cors.js';
import { framingProblem, guardErrors, refusing, targetProblem } from './guards/guards.js';
import { hostGuard } from './guards/host-guard.js';
import { placeOf } from './incoming/places.js';
import { requestIds } from './incoming/request-ids.js';
import { targetOf } from './incoming/request-target.js';
import { counting, type Metrics } from './metrics/metrics.js';
import { dashboardPage } from './pages/dashboard.js';
import { frontPage, healthPage, type Told } from './pages/root-pages.js';
import { Rounds } from './rounds.js';

export interface AppParts {
  readonly session: Session;
  /** Where requests are counted. */
  readonly metrics: Metrics;
  readonly version: string;
  readonly log: Log;
  /** Hosts that are answered besides the address served and loopback names; `any`: all. */
  readonly allowedHosts: readonly string[];
  /** What requests and answers hold at the edge. */
  readonly outstanding: Outstanding;
  /** Bytes. */
  readonly maxBody: number;
  /** Origins of other servers whose pages may use the operations. */
  readonly cors: Cors;
  readonly answering: Omit<Answering, 'cors'>;
  /** Whether the hosts' own resources are served. */
  readonly hosts: boolean;
  /** What passes requests on to another server. Absent: none are. */
  readonly forwarder?: Forwarder | undefined;
  /** `off`: there is no control API. */
  readonly control: 'off' | Pick<ControlSettings, 'context' | 'token' | 'streams'>;
  /** What `/_fake/health` says. */
  readonly health: () => Told;
}

export function createApp(parts: AppParts): Koa<RequestState> {
  const { session, metrics, log, version, outstanding } = parts;
  const app = new Koa<RequestState>();
  app.on('error', (error, ctx?: Context) =>
    log.warn('a connection broke', { err: error, requestId: ctx?.state.requestId }),
  );
  const bodies = new BodyReader(parts.maxBody, outstanding);
  const hostProblem = hostGuard(parts.allowedHosts);
  const problemOf = (ctx: Context) => targetProblem(ctx) ?? framingProblem(ctx) ?? hostProblem(ctx);
  const control = controlOf(parts);
  const dashboard = control === undefined ? [] : [dashboardPage(join(packageRoot(), 'dist/ui'))];
  const front = parts.forwarder === undefined ? [frontPage(version, control !== undefined)] : []; // else it is the other server's
  const others = [healthPage(parts.health), ...front, ...dashboard];
  const isOther = (path: string, method: string) =>
    others.some(page => page.concerns(path, method)) || control?.concerns(path) === true;
  const { cors, forwarder } = parts;
  const answering = { ...parts.answering, cors };
  const exchanging = { session, metrics, log, bodies, outstanding, answering, rounds: new Rounds() };

  app.use((ctx, next) => {
    if (problemOf(ctx) !== undefined) return next();
    const { path } = targetOf(ctx);
    const place = placeOf(path, parts.hosts);
    const isForwarded = forwarder?.takes(path, place) === true;
    if (place.endpoint === undefined && !isForwarded && isOther(path, ctx.req.method ?? '')) return next();
    const isChecked = !isForwarded || forwarder.isGuarded;
    if (isChecked && (cors.problemIn(ctx.req.headers) !== undefined || cors.isPreflight(ctx))) return next();
    if (isForwarded) forwarder.begin(ctx, place, () => new Exchange(exchanging, ctx, place).begin());
    else new Exchange(exchanging, ctx, place).begin();
  });

  const refuseCrossSite = refusing(ctx => cors.problemIn(ctx.req.headers));
  app.use(requestIds);
  app.use(counting(metrics));
  app.use(guardErrors(log));
  app.use(refusing(problemOf));
  for (const page of others) app.use((ctx, next) => (page.concerns(ctx.path, ctx.method) ? page.answer(ctx) : next()));
  app.use((ctx, next) => {
    if (control?.concerns(ctx.path)) return next();
    return cors.isPreflight(ctx) ? cors.answerPreflight(ctx) : refuseCrossSite(ctx, next);
  });
  app.use(withBody(bodies));
  if (control !== undefined) app.use(control.answer);
  return app;
}

function controlOf({ control, metrics, log }: AppParts): ControlApi | undefined {
  return control === 'off' ? undefined : controlApi({ ...control, metrics, log });
}
