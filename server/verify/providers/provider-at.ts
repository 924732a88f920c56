// The provider that a URL means: a fake that lets itself be controlled, or any other server.
// Knows no pact file and no verifier.
import { lengthOfBody } from '../../derive/sending/sending.js';
import { isControlled } from '../../library/target/served-fake.js';
import { connection } from '../../remote/target/http-connection.js';
import { AnyServer } from './http-provider.js';
import type { Provider, RemoteTarget } from './provider.js';
import { FakeAt } from './served-provider.js';

/** Rejects with `Unreachable` where nobody answers, and where a fake does not take the token. */
export async function providerAt(target: RemoteTarget): Promise<Provider> {
  const { origin } = new URL(target.url);
  const wire = connection(origin, lengthOfBody);
  const headers: Record<string, string> = target.token === undefined ? {} : { Authorization: `Bearer ${target.token}` };
  try {
    const isFake = target.stateChangeUrl === undefined && (await isControlled(wire, headers, origin));
    if (isFake) return await FakeAt.open(target, wire);
  } catch (error) {
    wire.close();
    throw error;
  }
  wire.close();
  return new AnyServer(target);
}
