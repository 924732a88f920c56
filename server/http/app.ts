// The Koa application: guards, body, control API, front page, operations, in this order. Listens nowhere.
import Koa from 'koa';
import type { Session } from '../engine/session.js';
import type { Folders } from '../scenario/folders.js';
import { KeptScenarios } from '../scenario/kept.js';
import { readBody } from './body.js';
import type { RequestState } from './context.js';
import { controlEndpoints } from './control/endpoints.js';
import { controlRoutes } from './control/routes.js';
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
  /** Whether answers carry the headers that say what decided them. */
  readonly explain: boolean;
  /** `off`: there is no control API. Otherwise the token that it takes, where one is due. */
  readonly control: 'off' | { readonly token?: string };
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
    app.use(controlRoutes({ session, folders, scenarios, version, endpoints: controlEndpoints }, control.token));
  }
  app.use(frontPage(version, control !== 'off'));
  app.use(operationRoutes(session, parts.explain));
  return app;
}
