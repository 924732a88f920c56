// Pact's native verifier: pact files in, what came of each interaction out. The only place that knows how it is called.
// Knows neither where the files come from nor who answers.
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Difference } from '../verdict.js';

/** What the verifier says of one interaction. */
export interface NativeResult {
  readonly held: boolean;
  /** Empty where it held, and where it could not be asked. */
  readonly differences: readonly Difference[];
  /** Why it could not be asked, in the words of the verifier. */
  readonly error?: string;
  /** Milliseconds. */
  readonly duration: number;
}

/** Pact's verifier cannot run, or not what it is given: the message is for people. */
export class Unverifiable extends Error {}

export interface NativeRun {
  /** Paths of pact files in which each description stands once. */
  readonly files: readonly string[];
  /** Who answers. */
  readonly url: string;
  /** Absent: states are not asked for. */
  readonly stateUrl?: string;
}

const MODULE = '@pact-foundation/pact-core';

/** It would choose among the interactions, publish, or send what goes to 127.0.0.1 through the proxy of a company. */
const MISLEADING = /^(PACT_(?!DO_NOT_TRACK)|https?_proxy$|all_proxy$|no_proxy$)/i;

/** Milliseconds for one answer. */
const PATIENCE = 30_000;

/** A process in which the verifier runs, one run after the other. It may be started before there is anything to verify: that takes a while. */
export class NativeVerifier {
  readonly #child: ChildProcess;
  /** Rejects once the process has ended. */
  readonly #gone: Promise<never>;
  readonly #ready: Promise<string>;
  #said = '';

  constructor() {
    const isSource = import.meta.filename.endsWith('.ts'); // then no compiler has run, and the child needs one as well
    this.#child = fork(join(import.meta.dirname, isSource ? 'process.ts' : 'process.js'), {
      execArgv: isSource ? ['--import', 'tsx'] : [],
      cwd: import.meta.dirname, // where that is found, wherever the program was started
      env: { ...withoutMisleading(process.env), PACT_DO_NOT_TRACK: 'true' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr?.on('data', (text: Buffer) => {
      this.#said = (this.#said + text.toString('utf8')).slice(-4000);
    });
    this.#gone = new Promise((_, reject) => {
      this.#child.once('error', reject);
      this.#child.once('close', () => reject(new Unverifiable(this.#whyGone())));
    });
    this.#gone.catch(() => {}); // who runs it hears of it
    this.#ready = this.#message();
  }

  /** Results by description. Rejects with `Unverifiable`. */
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

  /** It ends by itself only with its parent. */
  end(): void {
    this.#child.kill();
  }

  /** The next message of the process. */
  #message(): Promise<string> {
    return new Promise(resolve => this.#child.once('message', message => resolve(String(message))));
  }

  #whyGone(): string {
    if (this.#said.includes('MODULE_NOT_FOUND') && this.#said.includes(MODULE))
      return `Pact's verifier is not installed beside cwx-fake: npm install --save-dev ${MODULE} (it comes with @pact-foundation/pact as well).`;
    return `Pact's verifier ended without a result.${this.#said === '' ? '' : ` It said: ${this.#said.trim()}`}`;
  }
}

function withoutMisleading(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !MISLEADING.test(name)));
}

/** What of the verifier's answer counts here (pact-core 20). */
interface Answer {
  readonly interactionResults: ReadonlyArray<{
    readonly description: string;
    readonly duration: string;
    readonly result: 'OK' | 'Error';
    readonly mismatch?: {
      readonly type: 'mismatches' | 'error';
      readonly message?: string;
      readonly mismatches?: readonly Mismatch[];
    };
  }>;
}

interface Mismatch {
  readonly type: string;
  readonly mismatch?: string;
  readonly key?: string;
  readonly path?: string;
}

function resultsIn(text: string): ReadonlyMap<string, NativeResult> {
  let answer: Answer;
  try {
    answer = JSON.parse(text) as Answer; // the form that version 20 gives
  } catch {
    throw new Unverifiable(`Pact's verifier could not run: ${text.trim()}`);
  }
  return new Map(
    answer.interactionResults.map(({ description, duration, result, mismatch }) => [
      description,
      {
        held: result === 'OK',
        differences: (mismatch?.mismatches ?? []).map(difference),
        ...(mismatch?.message !== undefined && { error: mismatch.message }),
        duration: Number.parseFloat(duration) || 0,
      },
    ]),
  );
}

function difference({ type, mismatch = type, key, path }: Mismatch): Difference {
  if (type === 'StatusMismatch') return { part: 'status', place: '', says: `The status: ${mismatch}.` };
  if (type === 'HeaderMismatch') return { part: 'header', place: key ?? '', says: `${mismatch}.` };
  if (/^Expected body Present\(.*\) but was (empty|missing)$/s.test(mismatch))
    return { part: 'body', place: '$', says: 'The body: one was expected, and there is none.' };
  return { part: 'body', place: path ?? '$', says: `The body at ${path ?? '$'}: ${expectedFirst(mismatch)}.` };
}

/** Its `Expected 1 to be equal to 2` means that 2 was expected and 1 came. */
function expectedFirst(mismatch: string): string {
  const [, was, expected] = /^Expected (.+) to be equal to (.+)$/s.exec(mismatch) ?? [];
  return was === undefined ? mismatch : `expected ${expected} but was ${was}`;
}
