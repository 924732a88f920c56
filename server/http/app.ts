// The Koa application: guards, body, control API, front page, operations, in this order. Listens nowhere.
import Koa from 'koa';
import type { Witnesses } from '../derive/ledger.js';
import type { Session } from '../engine/session.js';
import type { Folders } from '../scenario/folders.js';
import { KeptScenarios } from '../scenario/kept.js';
import { Players, type TargetOf } from '../scenario/play/players.js';
import { ProviderSetups } from '../scenario/provider-setups.js';
import { readBody } from './body.js';
import type { RequestState } from './context.js';
import { controlEndpoints } from './control/endpoints.js';
import { controlRoutes } from './control/routes.js';
import type { Answering } from './exchange.js';
import { guardErrors, guardHost, guardTarget } from './guards.js';
import type { Log } from './log.js';
import { frontPage, healthPage } from './pages.js';
import { operationRoutes } from './routes.js';

export interface AppParts {
  readonly session: Session;
  readonly folders: Folders;
  readonly version: string;
  readonly log: Log;
  /** Hosts that are answered besides the address served and loopback names. */
  readonly allowedHosts: readonly string[];
  /** Bytes. */
  readonly maxBody: number;
  readonly answering: Answering;
  /** `off`: there is no control API. Otherwise the token that it takes, where one is due. */
  readonly control: 'off' | { readonly token?: string };
  /** How a player asks in a sandbox of this app. */
  readonly targetOf: TargetOf;
  /** Who has seen each rule and each reading at work; asked for when somebody reads the ledger. */
  readonly witnesses: () => Promise<Witnesses>;
  /** What `/_fake/health` says. */
  readonly health: () => object;
}

export function createApp(parts: AppParts): Koa<RequestState> {
  const { session, folders, version, control } = parts;
  const app = new Koa<RequestState>();
  app.on('error', error => parts.log.warn('a connection broke', { err: error }));
  app.use(guardErrors(parts.log));
  app.use(guardTarget);
  app.use(guardHost(parts.allowedHosts));
  app.use(healthPage(parts.health));
  app.use(readBody(parts.maxBody));
  if (control !== 'off') {
    const scenarios = new KeptScenarios(folders);
    const players = new Players(session, parts.targetOf);
    const load = (name: string) => scenarios.load(name);
    const setups = new ProviderSetups({ session, origin: () => session.origin, folders, load });
    const { witnesses } = parts;
    const endpoints = controlEndpoints;
    const controlled = { session, folders, scenarios, players, setups, witnesses, version, endpoints };
    app.use(controlRoutes(controlled, control.token, parts.log));
  }
  app.use(frontPage(version, control !== 'off'));
  app.use(operationRoutes(session, parts.answering));
  return app;
}
