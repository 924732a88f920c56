// Pact files that are there as long as a run of the verifier needs them. Knows nothing of what is in them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '../contract.js';

/** Writes each document into a file of a new folder, hands the paths on, and takes the folder away whatever comes of it. */
export async function withPactFiles<T>(
  documents: readonly Json[],
  use: (files: readonly string[]) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'cwx-fake-verify-'));
  try {
    const files = documents.map((document, i) => {
      const path = join(folder, `${i}.json`);
      writeFileSync(path, JSON.stringify(document));
      return path;
    });
    return await use(files);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
