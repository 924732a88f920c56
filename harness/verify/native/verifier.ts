// Pact's native verifier: takes pact files, returns the result of each interaction. The only caller of the native verifier.
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Difference } from '../contract/verdict.js';
import { Unverifiable } from '../providers/provider.js';

/** The verifier's result for one interaction. */
export interface NativeResult {
  readonly passed: boolean;
  /** Empty if it passed, or if it could not be requested. */
  readonly differences: readonly Difference[];
  /** Why it could not be requested, in the verifier's words. */
  readonly error?: string;
  /** Milliseconds. */
  readonly duration: number;
}

function failed(failure: string): Unverifiable {
  return new Unverifiable(`Pact's verifier ${failure}.`, failure);
}

export interface NativeRun {
  /** Paths of pact files in which each description is unique. */
  readonly files: readonly string[];
  /** URL of the provider. */
  readonly url: string;
  /** URL for provider states; absent if there are none. */
  readonly stateUrl?: string;
}

const MODULE = '@pact-foundation/pact-core';

/** Environment variables that would filter interactions, publish results, or send requests through a company proxy. */
const MISLEADING = /^(PACT_(?!DO_NOT_TRACK)|https?_proxy$|all_proxy$|no_proxy$)/i;

/** Milliseconds to wait for one response: longer than the timeout of a target, which has a better message. */
const PATIENCE = 120_000;

/** Runs the verifier in a process of its own, one run after the other. Start it early: starting takes time. */
export class NativeVerifier {
  #process: VerifierProcess | undefined = new VerifierProcess();

  /** Results by description. Rejects with `Unverifiable`; the next run then has a new process. */
  async run(asked: NativeRun): Promise<ReadonlyMap<string, NativeResult>> {
    this.#process ??= new VerifierProcess();
    try {
      return await this.#process.run(asked);
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /** The process ends by itself only if its parent ends. */
  end(): void {
    this.#process?.end();
    this.#process = undefined;
  }
}

class VerifierProcess {
  readonly #child: ChildProcess;
  /** Rejects when the process has ended. */
  readonly #gone: Promise<never>;
  readonly #ready: Promise<string>;
  #said = '';

  constructor() {
    this.#child = fork(join(import.meta.dirname, 'process.js'), {
      execArgv: [],
      cwd: import.meta.dirname, // resolved here, so that the working directory does not matter
      env: { ...withoutMisleading(process.env), PACT_DO_NOT_TRACK: 'true' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr?.on('data', (text: Buffer) => {
      this.#said = (this.#said + text.toString('utf8')).slice(-4000);
    });
    this.#gone = new Promise((_, reject) => {
      this.#child.once('error', reject);
      this.#child.once('close', () => reject(this.#whyGone()));
    });
    this.#gone.catch(() => {}); // the next `run` rejects with it
    this.#ready = this.#message();
  }

  async run({ files, url, stateUrl }: NativeRun): Promise<ReadonlyMap<string, NativeResult>> {
    await Promise.race([this.#ready, this.#gone]);
    const result = this.#message();
    this.#child.send({
      provider: 'fake', // only a name in its report
      providerBaseUrl: url,
      pactUrls: files,
      logLevel: 'error',
      timeout: PATIENCE,
      ...(stateUrl !== undefined && {
        providerStatesSetupUrl: stateUrl,
        providerStatesSetupBody: true,
        providerStatesSetupTeardown: true,
      }),
    });
    return resultsIn(await Promise.race([result, this.#gone]));
  }

  end(): void {
    this.#child.kill();
  }

  /** The next message of the process. */
  #message(): Promise<string> {
    return new Promise(resolve => this.#child.once('message', message => resolve(String(message))));
  }

  #whyGone(): Unverifiable {
    if (this.#said.includes('MODULE_NOT_FOUND') && this.#said.includes(MODULE))
      return new Unverifiable(
        `Pact's verifier is not installed: npm install --save-dev ${MODULE} (@pact-foundation/pact includes it).`,
      );
    const said = this.#said.trim().replace(/\.$/, '');
    return failed(`ended without a result${said === '' ? '' : `: ${said}`}`);
  }
}

function withoutMisleading(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !MISLEADING.test(name)));
}

/** The part of the verifier's response (pact-core 20) that is used here. */
interface ApiResponse {
  /** Files that it cannot read. */
  readonly errors?: ReadonlyArray<{ readonly mismatch: { readonly message?: string } }>;
  readonly interactionResults: readonly InteractionResult[];
}

interface InteractionResult {
  readonly description: string;
  readonly duration: string;
  readonly result: 'OK' | 'Error';
  readonly mismatch?: { readonly message?: string; readonly mismatches?: readonly Mismatch[] };
}

interface Mismatch {
  readonly type: string;
  readonly mismatch?: string;
  readonly key?: string;
  readonly path?: string;
}

function resultsIn(text: string): ReadonlyMap<string, NativeResult> {
  let response: ApiResponse;
  try {
    response = JSON.parse(text) as ApiResponse; // the format of version 20
  } catch {
    throw failed(`could not run: ${text.trim().replace(/\.$/, '')}`);
  }
  const unread = response.errors?.find(({ mismatch: { message = '' } }) => UNREAD.test(message));
  if (unread !== undefined) throw failed(`could not read the pact: ${plain(unread.mismatch.message)}`);
  return new Map(response.interactionResults.map(one => [one.description, resultOf(one)]));
}

function resultOf({ duration, result, mismatch: { mismatches = [], message } = {} }: InteractionResult): NativeResult {
  const differences = mismatches.map(difference);
  const error = message ?? differences.find(({ says }) => UNUSABLE.test(says))?.says;
  return {
    passed: result === 'OK',
    differences: error === undefined ? differences : [],
    ...(error !== undefined && { error: plain(error) }),
    duration: Number.parseFloat(duration) || 0,
  };
}

/** A file with a matcher that the verifier does not understand. */
const UNREAD = /^Failed to load pact '[^']*' - /;
/** A matcher that it understands and cannot apply. */
const UNUSABLE = /No catalogue entry found for key|is not a valid regular expression| using ContentType\(/;

/** Without the path of a temporary file, the URL of our proxy, the notation of Rust, and the period. */
function plain(text = ''): string {
  return text
    .replace(UNREAD, '')
    .replace(/ for url \(http:\/\/127\.0\.0\.1:[^() ]*\)/, '')
    .replace(
      /^Body at (\S+): Unable to match .* using ContentType\(.*$/s,
      'it cannot apply the matcher contentType to JSON at $1',
    )
    .replace(/\bJSON (?:Object )?(?!at )/, '')
    .replace(/\bString\(("[^"]*")\)/g, '$1')
    .replace(/\bNumber\(([\d.]+)\)/g, '$1')
    .replace(/\.$/, '');
}

function difference({ type, mismatch = type, key, path }: Mismatch): Difference {
  if (type === 'StatusMismatch') return { part: 'status', place: '', says: `Status: ${expectedFirst(mismatch)}.` };
  if (type === 'HeaderMismatch') return { part: 'header', place: key ?? '', says: `${mismatch}.` };
  if (/^Expected body Present\(.*\) but was (empty|missing)$/s.test(mismatch))
    return { part: 'body', place: '$', says: 'Body: expected a body, but the response has none.' };
  return { part: 'body', place: path ?? '$', says: `Body at ${path ?? '$'}: ${expectedFirst(mismatch)}.` };
}

/** Its `Expected 1 to be equal to 2` means that 2 was expected and 1 received. */
function expectedFirst(mismatch: string): string {
  const [, was, expected] = /^Expected (.+) to be equal to (.+)$/s.exec(mismatch) ?? [];
  return was === undefined
    ? mismatch.replace(/^expected (.+) but was (.+)$/s, 'expected $1, got $2')
    : `expected ${expected}, got ${was}`;
}
