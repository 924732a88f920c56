// A running fake as the target of a player. Operations are called over HTTP, as any client calls them.
import { type Target, Unreachable } from '../../scenario/play/target.js';
import { FakeError, orUnreachable } from '../port/fake-error.js';
import { HttpPort } from '../port/http-port.js';
import { playedSandbox } from './played-sandbox.js';

/**
 * The port to a fake at the root of a host that lets itself be controlled; `undefined` where there is none. Rejects with `Unreachable` where nobody
 * answers, and where the fake takes a token other than the one given.
 */
export async function controlAt(origin: string, token: string | undefined): Promise<HttpPort | undefined> {
  return orUnreachable(HttpPort.open(origin, token)).catch(error => {
    if (!(error instanceof FakeError)) throw error;
    const { status, message } = error;
    if (status === undefined || status === 404) return undefined; // no fake, or one without its control API
    const why =
      status === 401
        ? `${token === undefined ? 'needs a token' : 'rejects this token'}: the fake prints its token at startup, unless it was set with --control-token`
        : `answers ${status}, ${message.replaceAll(/\n */g, ' ')}`;
    throw new Unreachable(`the control API of ${origin} ${why}`, { cause: error });
  });
}

/** A sandbox of such a fake, which is dropped when the target is closed unless it is kept. */
export async function servedFake(
  origin: string,
  { name, isKept }: { readonly name: string; readonly isKept: boolean },
  token?: string,
): Promise<Target | undefined> {
  const port = await controlAt(origin, token);
  if (port === undefined) return undefined;
  const prefix = name === 'default' ? '' : `/~${name}`;
  const target = playedSandbox(port, name, {
    url: `${origin}${prefix}`,
    addressed: request => ({ ...request, path: `${prefix}${request.path}` }),
  });
  return {
    ...target,
    close: async () => {
      if (!isKept) await target.control.end();
      port.stop();
    },
  };
}
