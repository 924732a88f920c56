// The fake and the sandbox that the flags of a command name.
import { sandboxError, sandboxOf } from '../../harness/target/sandbox-name.js';
import { HttpPort } from '../../server/library/port/http-port.js';
import { checkBaseUrl } from '../../server/settings/flag-checks.js';
import { clientCertificateFlags, type Flag, targetToken } from '../../server/settings/serve-flags.js';
import type { FlagValues } from '../../server/settings/settings.js';

const DEFAULT_URL = 'http://127.0.0.1:8080';

export const fakeFlags: readonly Flag[] = [
  {
    name: 'url',
    value: 'url',
    description: 'URL of the running fake, or of a sandbox in it',
    default: DEFAULT_URL,
    check: value => checkBaseUrl(value),
  },
  {
    name: 'sandbox',
    value: 'name',
    description: 'the sandbox; default: the one in the URL, otherwise the sandbox named "default"',
    example: 'job-7',
    check: sandboxError,
  },
  targetToken,
  ...clientCertificateFlags,
];

/** Connects, and closes the connection after use. Rejects with a `FakeError`. */
export async function atFake<Result>(
  { url = DEFAULT_URL, sandbox, 'control-token': token }: FlagValues,
  use: (port: HttpPort, sandbox: string) => Promise<Result>,
): Promise<Result> {
  const port = await HttpPort.open(new URL(String(url)).origin, token?.toString());
  try {
    return await use(port, String(sandbox ?? sandboxOf(String(url)) ?? 'default'));
  } finally {
    port.stop();
  }
}
