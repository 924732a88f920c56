// The command line of a server that leaks 1 KiB per request.
import { subscribe } from 'node:diagnostics_channel';

const kept: string[] = [];
subscribe('http.server.request.start', () => kept.push([...String(kept.length).padEnd(1024, '.')].join('')));

await import('../../../cli/cli.js');
