// The Koa application. The first middleware answers requests to operations completely; the others are for everything else: guards, health, the front
// page, the control API.
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
import { type InFront, publicRoot } from './incoming/asked-root.js';
import { placeOf } from './incoming/places.js';
import { requestIds } from './incoming/request-ids.js';
import { targetOf } from './incoming/request-target.js';
import { counting, type Metrics } from './metrics/metrics.js';
import { dashboardPage } from './pages/dashboard.js';
import { frontPage, type HealthReport, healthPage } from './pages/root-pages.js';
import { Rounds } from './rounds.js';

export interface AppParts {
  readonly session: Session;
  /** Request metrics. */
  readonly metrics: Metrics;
  readonly version: string;
  readonly log: Log;
  /** Allowed hosts besides the server's own address and loopback names; `any`: all. */
  readonly allowedHosts: readonly string[];
  /** Bytes that requests and answers hold at the edge. */
  readonly outstanding: Outstanding;
  /** Bytes. */
  readonly maxBody: number;
  /** Proxies in front of this server. */
  readonly inFront: InFront;
  /** Origins whose pages may use the operations. */
  readonly cors: Cors;
  readonly answering: Omit<Answering, 'cors'>;
  /** Whether to serve the hosts' own resources. */
  readonly hosts: boolean;
  /** Forwards requests to another server. Absent: nothing is forwarded. */
  readonly forwarder?: Forwarder | undefined;
  /** `off`: no control API. */
  readonly control: 'off' | Pick<ControlSettings, 'context' | 'token' | 'streams'>;
  /** The report of `/_fake/health`. */
  readonly health: () => HealthReport;
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
  const front = parts.forwarder === undefined ? [frontPage(version, control !== undefined)] : []; // otherwise it is the other server's path
  const others = [healthPage(parts.health), ...front, ...dashboard];
  const isOther = (path: string, method: string) =>
    others.some(page => page.concerns(path, method)) || control?.concerns(path) === true;
  const { cors, forwarder } = parts;
  const answering = { ...parts.answering, cors };
  const exchanging = { session, metrics, log, bodies, outstanding, answering, rounds: new Rounds() };

  const { inFront } = parts;
  if (inFront.baseUrl !== undefined || inFront.trustProxy)
    app.use((ctx, next) => {
      Object.assign(ctx.req, { root: publicRoot(ctx.req, inFront) });
      return next();
    });
  app.use((ctx, next) => {
    if (problemOf(ctx) !== undefined) return next();
    const { path } = targetOf(ctx);
    const place = placeOf(path, parts.hosts);
    const isForwarded = forwarder?.takes(path, place) === true;
    if (place.endpoint === undefined && !isForwarded && isOther(path, ctx.req.method ?? '')) return next();
    const isChecked = !isForwarded || forwarder.isGuarded;
    if (isChecked && (cors.problemIn(ctx.req) !== undefined || cors.isPreflight(ctx))) return next();
    if (isForwarded) forwarder.begin(ctx, place, () => new Exchange(exchanging, ctx, place).begin());
    else new Exchange(exchanging, ctx, place).begin();
  });

  const refuseCrossSite = refusing(ctx => cors.problemIn(ctx.req));
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
