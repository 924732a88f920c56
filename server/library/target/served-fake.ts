// A fake that is served somewhere as the target of a player: a sandbox of it, set and seen through its control API.
// The operations are asked as anyone asks them.
import { isObject } from '../../domain/form/patch.js';
import { type Connection, connection } from '../../remote/target/http-connection.js';
import { bodyOf } from '../../scenario/play/judging.js';
import { type Target, Unreachable } from '../../scenario/play/target.js';
import { HttpPort } from '../port/http-port.js';
import { PlayedSandbox } from './played-sandbox.js';

/** What the control API says of a fake. */
interface Health {
  readonly status: 'ok';
  readonly version: string;
}

/**
 * A fake at the root of a host that lets itself be controlled; `undefined` where there is none. Rejects with `Unreachable` where nobody
 * answers, and where the fake takes a token other than the one given.
 */
export async function servedFake(
  origin: string,
  sandbox: { readonly name: string; readonly isKept: boolean },
  token?: string,
): Promise<Target | undefined> {
  const wire = connection(origin);
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  try {
    if (!(await isControlled(wire, headers, origin))) return undefined;
  } finally {
    wire.close();
  }
  return targetAt(origin, sandbox, token);
}

export async function isControlled(wire: Connection, headers: Headers, origin: string): Promise<boolean> {
  const health = await wire.send({ method: 'GET', path: '/_fake/health', headers: {} });
  if (health.status !== 200 || !isHealth(bodyOf(health))) return false;
  const answer = await wire.send({ method: 'GET', path: '/_fake/v1/sandboxes/default', headers });
  const isOfControl = answer.headers['content-type'] === 'application/problem+json';
  if (answer.status !== 401) return answer.status === 200 || (answer.status === 404 && isOfControl); // it may have been dropped
  throw new Unreachable(
    `the control API of ${origin} ${headers.Authorization === undefined ? 'needs a token' : 'does not take this token'}: the fake prints it at the start, unless --control-token sets it`,
  );
}

type Headers = Readonly<Record<string, string>>;

function targetAt(
  origin: string,
  sandbox: { readonly name: string; readonly isKept: boolean },
  token: string | undefined,
): Target {
  const port = new HttpPort(origin, token);
  const control = new PlayedSandbox(port, sandbox.name);
  const prefix = sandbox.name === 'default' ? '' : `/~${sandbox.name}`;
  return {
    url: `${origin}${prefix}`,
    context: '',
    send: async request => {
      await control.note();
      return port.ask({ ...request, path: `${prefix}${request.path}` });
    },
    control,
    close: async () => {
      if (!sandbox.isKept) await control.end();
      port.stop();
    },
  };
}

function isHealth(body: unknown): body is Health {
  return isObject(body) && body.status === 'ok' && typeof body.version === 'string';
}
