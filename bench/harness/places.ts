// Where the bench finds what was built, and where it writes: a folder of its own that goes when it ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What `npm run build` and the bench's own build made. */
export const built = pathToFileURL(join(process.cwd(), 'dist', '/'));

export const scratch = mkdtempSync(join(tmpdir(), 'cwx-fake-bench-'));

process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
