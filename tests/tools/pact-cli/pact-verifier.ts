// The stand-alone verifier of Pact, as teams without JavaScript run it.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noTracking, type Verified, verified } from '../../support/pact/verifiers.js';
import { installed } from '../installed.js';

const PROGRAM = installed('@pact-foundation/pact-cli/bin/pact-verifier.js');

/** Runs `pact-verifier` of @pact-foundation/pact-cli with these arguments. */
export async function pactVerifier(args: readonly string[]): Promise<Verified & { readonly code: number | null }> {
  const folder = mkdtempSync(join(tmpdir(), 'cwx-fake-'));
  const report = join(folder, 'report.json');
  const program = [PROGRAM, ...args, '--no-colour', '-j', report];
  const child = spawn(process.execPath, program, { env: { ...process.env, ...noTracking } });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', text => {
      said += text;
    });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  try {
    return { code, results: verified(readFileSync(report, 'utf8')).results, text: said };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
