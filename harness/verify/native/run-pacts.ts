// Runs Pact's verifier over interactions, so that one that ends it, or that it rejects, costs only its own result.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Contract, Json } from '../contract/contract.js';
import { Unverifiable } from '../providers/provider.js';
import type { NativeResult, NativeRun, NativeVerifier } from './verifier.js';

/** An interaction with a description of its own, so that its result can be found even if its file repeats itself. */
export interface RunItem {
  readonly description: string;
  /** Its version decides how the interaction is read. */
  readonly contract: Contract;
  /** The interaction for the verifier, without its description. */
  readonly written: Json;
}

/** After this number of failures the verifier itself is the reason, and the others are not tried. */
const MAX_FAILURES = 20;

/** Results by description. If a run fails, its two halves are run on their own, down to the interaction that is the reason. */
export function runPacts(
  items: readonly RunItem[],
  verifier: NativeVerifier,
  where: Omit<NativeRun, 'files'>,
): Promise<ReadonlyMap<string, NativeResult>> {
  let failures = 0;
  const runPart = async (part: readonly RunItem[]): Promise<ReadonlyMap<string, NativeResult>> => {
    try {
      return await runFiles(pactsOf(part), verifier, where);
    } catch (error) {
      if (!(error instanceof Unverifiable) || error.failure === undefined) throw error;
      failures += 1;
      const half = Math.ceil(part.length / 2);
      if (part.length > 1 && failures <= MAX_FAILURES)
        return new Map([...(await runPart(part.slice(0, half))), ...(await runPart(part.slice(half)))]);
      const failed = { passed: false, differences: [], error: error.failure, duration: 0 };
      return new Map(part.map(({ description }) => [description, failed]));
    }
  };
  return runPart(items);
}

/** A pact for each contract, with these of its interactions. */
function pactsOf(items: readonly RunItem[]): Json[] {
  return [...new Set(items.map(({ contract }) => contract))].map(contract => ({
    ...contract.document,
    interactions: items
      .filter(item => item.contract === contract)
      .map(({ written, description }) => ({ ...written, description })),
  }));
}

/** The files exist during the run only. */
async function runFiles(pacts: readonly Json[], verifier: NativeVerifier, where: Omit<NativeRun, 'files'>) {
  const folder = mkdtempSync(join(tmpdir(), 'cwx-fake-verify-'));
  try {
    const files = pacts.map((_, i) => join(folder, `${i}.json`));
    for (const [i, file] of files.entries()) writeFileSync(file, JSON.stringify(pacts[i]));
    return await verifier.run({ ...where, files });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
