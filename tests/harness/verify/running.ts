// Runs `verify` for a test, over the pact files of tests/pacts or over contracts written in the test.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Contract, Json } from '../../../harness/verify/contract/contract.js';
import type { Classification, Verdict, Verification } from '../../../harness/verify/contract/verdict.js';
import { readPact } from '../../../harness/verify/pacts/read-pact.js';
import { type VerifyOptions, verify } from '../../../harness/verify/verify.js';

const folder = fileURLToPath(new URL('../../pacts/', import.meta.url));
export const pactNames = readdirSync(folder).filter(name => name.endsWith('.json'));

export function pactFile(name: string): Contract {
  return read(readFileSync(join(folder, name), 'utf8'), basename(name));
}

/** A contract in version 4, unless another is named. */
export function contractOf(interactions: readonly Json[], rest: Json = {}): Contract {
  return read(JSON.stringify(pactOf(interactions, rest)), 'written.json');
}

export function pactOf(interactions: readonly Json[], rest: Json = {}): Json {
  return {
    consumer: { name: 'tester' },
    provider: { name: 'wiki-extension' },
    interactions,
    metadata: { pactSpecification: { version: '4.0' } },
    ...rest,
  };
}

function read(text: string, source: string): Contract {
  const contract = readPact(text, source);
  if ('problems' in contract) throw new Error(contract.problems.join('\n'));
  return contract;
}

export const ppf = { provider: { name: 'push-pull' } };
export const asAdmin = { Authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` };

/** The request of an interaction of version 4, as an admin; with a JSON body unless it is `undefined`. */
export function requestOf(method: string, path: string, body: unknown, headers: Json = {}): Json {
  if (body === undefined) return { method, path, headers: { ...asAdmin, ...headers } };
  return {
    method,
    path,
    headers: { ...asAdmin, 'Content-Type': 'application/json', ...headers },
    body: { content: body, contentType: 'application/json', encoded: false },
  };
}

/** An interaction of version 4: a POST, and some response. */
export function asks(description: string, path: string, body: unknown, response: Json, rest: Json = {}): Json {
  return { type: 'Synchronous/HTTP', description, request: requestOf('POST', path, body), response, ...rest };
}

export function pushes(description: string, body: unknown, response: Json, rest: Json = {}): Json {
  return asks(description, '/rest/cwx-ppf/latest/push', body, response, rest);
}

export function adds(description: string, body: unknown, response: Json, rest: Json = {}): Json {
  return asks(description, '/rest/cwxapiextension/latest/groups/add-users', body, response, rest);
}

/** A response of version 4. */
export function replies(status: number, content?: unknown): Json {
  return {
    status,
    ...(content !== undefined && { body: { content, contentType: 'application/json', encoded: false } }),
  };
}

export function verifying(
  contracts: Contract | readonly Contract[],
  options: Partial<VerifyOptions> = {},
): Promise<Verification> {
  return verify([contracts].flat(), { readings: {}, isSensitive: false, ...options });
}

/** The one verdict of a contract with one interaction. */
export async function verdictOn(
  interaction: Json,
  options: Partial<VerifyOptions> = {},
  rest: Json = {},
): Promise<Verdict> {
  const { verdicts } = await verifying(contractOf([interaction], rest), options);
  const [verdict] = verdicts;
  if (verdict === undefined || verdicts.length !== 1) throw new Error(`${verdicts.length} verdicts`);
  return verdict;
}

/** `documented`, `rests on wiki-success=object`, `contradicts ppf.needs-item`, `unknown`. */
export function shortly(classification: Classification): string {
  if (classification.kind === 'rests')
    return `rests on ${classification.on.map(({ gap, reading }) => `${gap}=${reading}`).join(', ')}`;
  return classification.kind === 'contradicts' ? `contradicts ${classification.rules.join(', ')}` : classification.kind;
}
