// The Koa application: guards, body, control API, front page, operations, in this order. Listens nowhere.
import Koa from 'koa';
import type { Feeds } from '../engine/feeds.js';
import type { Session } from '../engine/session.js';
import type { Folders } from '../scenario/folders.js';
import { KeptScenarios } from '../scenario/kept.js';
import type { Players } from '../scenario/play/players.js';
import { ProviderSetups } from '../scenario/provider-setups.js';
import { readBody } from './body.js';
import type { Context, RequestState } from './context.js';
import { controlEndpoints } from './control/endpoints.js';
import type { StreamSettings } from './control/event-stream.js';
import { controlRoutes } from './control/routes.js';
import type { Answering } from './exchange.js';
import { guardErrors, guardTarget } from './guards.js';
import { guardHost } from './host-guard.js';
import type { Log } from './log.js';
import { frontPage, healthPage, type Told } from './pages.js';
import { requestIds } from './request-ids.js';
import { operationRoutes } from './routes.js';
import { counting, type Tally } from './tally.js';
import { inTurn } from './turns.js';

export interface AppParts {
  readonly session: Session;
  /** Where requests are counted. */
  readonly tally: Tally;
  readonly folders: Folders;
  readonly version: string;
  readonly log: Log;
  /** Hosts that are answered besides the address served and loopback names; `any`: all. */
  readonly allowedHosts: readonly string[];
  /** Bytes. */
  readonly maxBody: number;
  readonly answering: Answering;
  /** `off`: there is no control API. */
  readonly control: 'off' | ControlParts;
  /** Who plays in its sandboxes. */
  readonly players: Players;
  /** What `/_fake/health` says. */
  readonly health: () => Told;
}

export interface ControlParts {
  /** What it takes, where a token is due. */
  readonly token?: string;
  readonly feeds: Feeds;
  readonly streams: StreamSettings;
  /** What has been counted, in the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
}

export function createApp(parts: AppParts): Koa<RequestState> {
  const { session, folders, version, control } = parts;
  const app = new Koa<RequestState>();
  app.on('error', (error, ctx?: Context) =>
    parts.log.warn('a connection broke', { err: error, requestId: ctx?.state.requestId }),
  );
  app.use(requestIds);
  app.use(counting(parts.tally));
  app.use(guardErrors(parts.log));
  app.use(guardTarget);
  app.use(guardHost(parts.allowedHosts));
  app.use(healthPage(parts.health));
  app.use(inTurn);
  app.use(readBody(parts.maxBody));
  if (control !== 'off') {
    const scenarios = new KeptScenarios(folders);
    const load = (name: string) => scenarios.load(name);
    const setups = new ProviderSetups({ session, origin: () => session.origin, folders, load });
    const { players, tally, log } = parts;
    const { token, ...told } = control;
    const server = { session, folders, scenarios, players, setups, tally, log, version, ...told };
    app.use(controlRoutes({ ...server, endpoints: controlEndpoints }, token));
  }
  app.use(frontPage(version, control !== 'off'));
  app.use(operationRoutes(session, parts.answering));
  return app;
}
