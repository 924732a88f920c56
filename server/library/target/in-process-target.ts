// A fake in this process as the target of a player: asked through the whole server but the socket. Each has one sandbox of its own.
import type { ControlContext } from '../../control/actions/control-context.js';
import { DEFAULT_URL } from '../../derive/served-at.js';
import type { Target } from '../../scenario/play/target.js';
import { InProcessPort } from '../port/in-process-port.js';
import { injecting } from '../port/inject.js';
import { playedSandbox } from './played-sandbox.js';

/** Names the sandbox. It is the player's own, so a request that names another does not leave it. */
const HEADER = 'x-fake-sandbox';

/** What of a fake that has been put together a player needs. */
interface Playable {
  readonly app: Parameters<typeof injecting>[0];
  readonly context: ControlContext;
}

/** A target in a sandbox of a fake in this process. `url`: its address. Default: where it would be if it were served. */
export function inProcess({ app, context }: Playable, sandbox: string, url?: string): Target {
  const port = new InProcessPort(url ?? DEFAULT_URL, context, injecting(app, url === undefined ? {} : { url }));
  return playedSandbox(port, sandbox, {
    url: port.url,
    addressed: request => {
      const headers = Object.entries(request.headers).filter(([name]) => name.toLowerCase() !== HEADER);
      return { ...request, headers: { ...Object.fromEntries(headers), [HEADER]: sandbox } };
    },
  });
}
