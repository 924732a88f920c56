// Temporary pact files for one run of the verifier.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '../contract/contract.js';

/** Writes each document to a file in a new folder, passes the paths on, and removes the folder in any case. */
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
