// A registry of packages on this machine, into which anyone may publish.
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { installed } from '../installed.js';

export interface Registry {
  /** With an ending slash, as npm names registries. */
  readonly url: string;
  stop(): void;
}

interface Verdaccio {
  runServer(config: object): Promise<Server>;
}

/** `storage`: the folder for its packages. It asks no other registry. */
export async function startRegistry(storage: string): Promise<Registry> {
  const { runServer } = createRequire(import.meta.url)(installed('verdaccio')) as Verdaccio; // so its documentation says
  const server = await runServer({
    self_path: storage,
    storage,
    web: { enable: false },
    uplinks: {},
    packages: { '**': { access: '$all', publish: '$all', unpublish: '$all' } },
    log: { type: 'stdout', format: 'json', level: 'fatal' },
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
