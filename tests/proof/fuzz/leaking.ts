// The command line of a server that keeps 1 KiB of each request for ever.
import { subscribe } from 'node:diagnostics_channel';

const kept: string[] = [];
subscribe('http.server.request.start', () => kept.push([...String(kept.length).padEnd(1024, '.')].join('')));

await import('../../../server/cli.js');
