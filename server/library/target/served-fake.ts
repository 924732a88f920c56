// A running fake as the target of a player. Operations are called over HTTP, as any client calls them.
import { type Target, Unreachable } from '../../scenario/play/target.js';
import { FakeError, orUnreachable } from '../port/fake-error.js';
import { HttpPort } from '../port/http-port.js';
import { playedSandbox } from './played-sandbox.js';

/**
 * The port to a fake with a control API at the root of a host; `undefined` if there is none, as at a proxy, which has no world. Rejects with `Unreachable`
 * if the host does not answer, or if the fake rejects the token.
 */
export async function controlAt(origin: string, token: string | undefined): Promise<HttpPort | undefined> {
  return orUnreachable(openFake(origin, token)).catch(error => {
    if (!(error instanceof FakeError)) throw error;
    const { status, message } = error;
    if (status === undefined || status === 404) return undefined; // no fake, or one without its control API
    const why =
      status === 401
        ? `${token === undefined ? 'requires a token' : 'rejects this token'}: give it with --control-token or CWX_FAKE_CONTROL_TOKEN; the fake prints it at startup, unless it was set`
        : `responds with ${status}: ${message.replaceAll(/\n */g, ' ')}`;
    throw new Unreachable(`the control API of ${origin} ${why}`, { cause: error });
  });
}

async function openFake(origin: string, token: string | undefined): Promise<HttpPort | undefined> {
  const port = await HttpPort.open(origin, token);
  const { forwardsTo } = await port.health();
  if (forwardsTo === undefined) return port;
  port.stop();
  return undefined;
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
