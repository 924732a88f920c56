// The Koa application: what happens to a request, in order.
import { join } from 'node:path';
import Koa from 'koa';
import type { ControlContext } from '../control/actions/control-context.js';
import type { Admission } from '../engine/admission.js';
import type { StreamSettings } from '../engine/events/stream-settings.js';
import type { Holds } from '../engine/faults/holds.js';
import type { Log } from '../engine/log.js';
import type { Session } from '../engine/session/session.js';
import { packageRoot } from '../scenario/files/folders.js';
import { readingBody } from './body.js';
import { breakage } from './breakage.js';
import { control, isControlPath, isUnwatched } from './control.js';
import { cors, origin } from './cors.js';
import { errors } from './errors.js';
import { type FakeParts, fake } from './faked-apis.js';
import type { Forward } from './forward.js';
import { host } from './host.js';
import { type InFront, publicRoot } from './incoming/base-url.js';
import type { Middleware } from './incoming/context.js';
import { requestIdIn } from './incoming/request-from.js';
import { type Metrics, measure } from './metrics/metrics.js';
import { requestId } from './request-id.js';
import { target } from './request-target.js';
import { slowReaders } from './slow-readers.js';
import { token } from './token.js';
import { turn } from './turn.js';
import { type HealthReport, pages } from './web-pages.js';

export interface AppParts {
  readonly session: Session;
  /** Request metrics. */
  readonly metrics: Metrics;
  readonly version: string;
  readonly log: Log;
  /** Allowed hosts besides the server's own address and loopback names; `any`: all. */
  readonly allowedHosts: readonly string[];
  /** Bytes that requests and responses hold at the edge, and the queue of heavy work. */
  readonly admission: Admission;
  /** Bytes of large responses that may wait for their readers. */
  readonly maxUnread: number;
  /** Bytes. */
  readonly maxBody: number;
  /** Proxies in front of this server. */
  readonly inFront: InFront;
  /** Origins whose pages may use the APIs. */
  readonly cors: readonly string[];
  /** Whether responses have headers that say what decided them. */
  readonly explain: boolean;
  /** Responses as another server may give them. Default: as the engine decides. */
  readonly vary?: FakeParts['vary'];
  /** Aborts when the server stops: delayed responses are then sent at once. */
  readonly ending: AbortSignal;
  readonly holds: Holds;
  /** Whether to serve the REST APIs of Confluence and Jira. */
  readonly restApi: boolean;
  /** Forwards requests to another server. Absent: nothing is forwarded. */
  readonly forward?: Forward | undefined;
  /** `off`: no control API. */
  readonly control: 'off' | ControlSettings;
  /** The report of `/_fake/health`. */
  readonly health: () => HealthReport;
}

interface ControlSettings {
  readonly context: ControlContext;
  /** The required token, if any. */
  readonly token: string | undefined;
  readonly streams: StreamSettings;
}

/** Errors of a connection that a client has closed, which is its right. */
const CLIENT_LEFT: readonly string[] = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'];

export function createApp(parts: AppParts): Koa {
  const { admission, metrics, log, forward, version, health } = parts;
  const hasControl = parts.control !== 'off';
  const app = new Koa();
  const use = (middleware: Middleware) => void app.use(middleware as Koa.Middleware);
  app.on('error', (error: NodeJS.ErrnoException, ctx?: Koa.Context) => {
    if (CLIENT_LEFT.includes(error.code ?? '')) return;
    log.warn('a connection broke', { err: error, requestId: ctx && requestIdIn(ctx.req.headers) });
  });

  use(slowReaders(log, admission, parts.maxUnread));
  use(measure(metrics, log));
  use(breakage(parts.holds, parts.ending));
  use(requestId);
  use(errors(log, hasControl ? isUnwatched : () => false));
  use(target);
  use(host(parts.allowedHosts));
  if (parts.inFront.baseUrl !== undefined || parts.inFront.trustProxy) use(behindProxies(parts.inFront));
  const dashboard = join(packageRoot(), 'dist/ui');
  const body = readingBody(app, parts.maxBody, admission);
  const ours = [pages({ version, health, hasControl, hasFront: forward === undefined, dashboard })];
  if (parts.control !== 'off') {
    const api = control({ ...parts.control, admission, log });
    ours.push(only(isControlPath, token(parts.control.token), body, api));
  }
  use(only(isOurs, ...ours));
  const isGuarded = forward?.isGuarded !== false; // otherwise the other server decides
  if (isGuarded) use(origin(parts.cors));
  if (isGuarded && parts.cors.length > 0) use(cors(parts.cors));
  if (forward !== undefined) use(forward.middleware);
  use(body);
  use(turn);
  use(fake(parts));
  return app;
}

/** Whether a path may be one of this server's own. */
function isOurs(path: string): boolean {
  return path === '/' || path.includes('/_fake');
}

/** Middlewares for some paths, one after the other. */
function only(concerns: (path: string) => boolean, ...middlewares: readonly Middleware[]): Middleware {
  return (ctx, next) => {
    if (!concerns(ctx.path)) return next();
    return middlewares.reduceRight<Koa.Next>((rest, middleware) => () => middleware(ctx, rest), next)();
  };
}

/** Finds the base URL that clients use. */
function behindProxies(inFront: InFront): Middleware {
  return (ctx, next) => {
    Object.assign(ctx.req, { root: publicRoot(ctx.req, inFront) });
    return next();
  };
}
