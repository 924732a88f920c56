// The provider at a URL: a fake with a control API, or any other server.
import { controlAt } from '../../../server/library/target/served-fake.js';
import { AnyServer } from './http-provider.js';
import type { Provider, RemoteTarget } from './provider.js';
import { FakeAt } from './served-provider.js';

/** Rejects with `Unreachable` if the server does not answer, or is a fake that rejects the token. */
export async function providerAt(target: RemoteTarget): Promise<Provider> {
  const { url, token, stateChangeUrl } = target;
  const port = stateChangeUrl === undefined ? await controlAt(new URL(url).origin, token) : undefined;
  if (port === undefined) return new AnyServer(target);
  return FakeAt.open(target, port).catch(error => {
    port.stop();
    throw error;
  });
}
