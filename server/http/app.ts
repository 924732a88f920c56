// The Koa application: one middleware, which passes every request to the pipeline.
import { join } from 'node:path';
import Koa from 'koa';
import type { ControlContext } from '../control/actions/control-context.js';
import type { Admission } from '../engine/admission.js';
import type { Holds } from '../engine/faults/holds.js';
import type { Log } from '../engine/log.js';
import type { Session } from '../engine/session/session.js';
import { packageRoot } from '../scenario/files/folders.js';
import { BodyReader } from './body/body.js';
import { ActionCalls } from './control/action-calls.js';
import { ControlRoutes } from './control/control-routes.js';
import type { Forwarder } from './forwarding/forwarder.js';
import type { Cors } from './guards/cors.js';
import { guardsOf } from './guards/guards.js';
import { type InFront, publicRoot } from './incoming/base-url.js';
import type { Context } from './incoming/context.js';
import { requestIdIn } from './incoming/request-ids.js';
import type { Metrics } from './metrics/metrics.js';
import { Operations } from './operations.js';
import { dashboardPage } from './pages/dashboard.js';
import { frontPage, type HealthReport, healthPage } from './pages/root-pages.js';
import { Pipeline } from './pipeline.js';
import type { StreamSettings } from './writing/event-stream.js';
import { Writer } from './writing/writer.js';

export interface AppParts {
  readonly session: Session;
  /** Request metrics. */
  readonly metrics: Metrics;
  readonly version: string;
  readonly log: Log;
  /** Allowed hosts besides the server's own address and loopback names; `any`: all. */
  readonly allowedHosts: readonly string[];
  /** Bytes that requests and responses hold at the edge. */
  readonly admission: Admission;
  /** Bytes. */
  readonly maxBody: number;
  /** Proxies in front of this server. */
  readonly inFront: InFront;
  /** Origins whose pages may use the operations. */
  readonly cors: Cors;
  /** Whether responses have headers that say what decided them. */
  readonly explain: boolean;
  /** Aborts when the server stops: delayed responses are then sent at once. */
  readonly ending: AbortSignal;
  readonly holds: Holds;
  /** Whether to serve the REST APIs of Confluence and Jira. */
  readonly restApi: boolean;
  /** Forwards requests to another server. Absent: nothing is forwarded. */
  readonly forwarder?: Forwarder | undefined;
  /** `off`: no control API. */
  readonly control: 'off' | ControlParts;
  /** The report of `/_fake/health`. */
  readonly health: () => HealthReport;
}

interface ControlParts {
  readonly context: ControlContext;
  /** The required token, if any. */
  readonly token: string | undefined;
  readonly streams: StreamSettings;
}

export function createApp(parts: AppParts): Koa {
  const { log, inFront } = parts;
  const app = new Koa();
  app.on('error', (error, ctx?: Context) =>
    log.warn('a connection broke', { err: error, requestId: ctx && requestIdIn(ctx.req.headers) }),
  );
  const pipeline = pipelineOf(parts);
  const isBehindProxy = inFront.baseUrl !== undefined || inFront.trustProxy;
  app.use(ctx => {
    ctx.respond = false; // Koa must not answer
    if (isBehindProxy) Object.assign(ctx.req, { root: publicRoot(ctx.req, inFront) });
    pipeline.receive(ctx);
  });
  return app;
}

function pipelineOf(parts: AppParts): Pipeline {
  const { session, admission, metrics, log, cors, explain, ending, holds, control, forwarder, restApi } = parts;
  const hasControl = control !== 'off';
  const pages = [
    healthPage(parts.health),
    ...(forwarder === undefined ? [frontPage(parts.version, hasControl)] : []), // otherwise it is the other server's path
    ...(hasControl ? [dashboardPage(join(packageRoot(), 'dist/ui'))] : []),
  ];
  return new Pipeline({
    destinations: { restApi, forwarder, pages, control: hasControl ? new ControlRoutes() : undefined },
    guards: guardsOf({
      allowedHosts: parts.allowedHosts,
      cors,
      guardsForwarded: forwarder?.isGuarded === true,
      token: hasControl ? control.token : undefined,
      log,
    }),
    bodies: new BodyReader(parts.maxBody, admission),
    admission,
    operations: new Operations({ session, admission, explain, cors }),
    actions: hasControl ? new ActionCalls({ ...control, admission, metrics, log }) : undefined,
    writer: new Writer({ metrics, log, holds, ending }),
    log,
  });
}
