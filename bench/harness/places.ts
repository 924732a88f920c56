// Where the bench finds what was built, and where it writes: a folder of its own that goes when it ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A script that `npm run build` made, or of `bench/` and `tests/`, which with the modules of the server is below `modules/`. */
export function builtScript(script: string): string {
  return join(process.cwd(), 'dist', /^(?:bench|tests)\//.test(script) ? join('modules', script) : script);
}

export const scratch = mkdtempSync(join(tmpdir(), 'cwx-fake-bench-'));

process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
