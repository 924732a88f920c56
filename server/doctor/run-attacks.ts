// Runs attacks against an instance within a time limit, in a temporary sandbox.
import { Unreachable } from '../scenario/play/target.js';
import type { Attack, Verdict } from './attack.js';
import { isHealth } from './attacks/addresses.js';
import { Instance, type InstanceParts } from './instance.js';
import { ownSandbox, refusalBy } from './preflight.js';
import type { Finding, Trial } from './trial.js';
import { Wire } from './wire.js';

export interface Examination {
  /** The root of the instance. */
  readonly url: URL;
  readonly token?: string;
  /** Timeout of an answer in milliseconds. */
  readonly answerTime: number;
  /** Milliseconds to wait for slow connections to be closed. */
  readonly patience: number;
  /** Whether to run the slow attacks. */
  readonly isThorough: boolean;
  /** Time limit of everything in milliseconds. */
  readonly longest: number;
  /** Maximum parallel connections. */
  readonly connections: number;
  /** Whether the target must refuse some of them. */
  readonly isTooMany: boolean;
  /** Non-loopback addresses of this machine. */
  readonly addresses: readonly string[];
  readonly attacks: readonly Attack[];
  readonly signal: AbortSignal;
  /** Called with each verdict, in order. */
  tell?(verdict: Verdict): void;
}

export interface Examined {
  readonly verdicts: readonly Verdict[];
  /** The sandbox that could not be dropped. */
  readonly left?: string;
}

/** Rejects with `Unreachable` if the server does not answer. `refused`: why it is not attacked. */
export async function examine(examination: Examination): Promise<Examined | { readonly refused: string }> {
  const { url, token, answerTime, patience, isThorough, longest, connections, isTooMany, addresses, signal } =
    examination;
  const ending = new AbortController();
  const over = new Unreachable(`not finished within ${longest / 1000} s${isThorough ? '' : ': --thorough waits'}`);
  const timer = setTimeout(() => ending.abort(over), longest);
  const wire = new Wire(url, connections, AbortSignal.any([signal, ending.signal]));
  const parts = {
    url,
    wire,
    answerTime,
    patience,
    addresses,
    ...(token !== undefined && { token }),
    ...(isTooMany && { tooMany: connections }),
  };
  try {
    return await attackAll(parts, examination);
  } finally {
    clearTimeout(timer);
    wire.close();
  }
}

async function attackAll(
  parts: Omit<InstanceParts, 'why'>,
  { attacks, isThorough, tell, url, signal }: Examination,
): Promise<Examined | { readonly refused: string }> {
  const stranger = new Instance({ ...parts, why: '' });
  const health = await stranger.ask({ path: '/_fake/health' });
  if (health.answer === undefined || !isHealth(health.answer)) return { refused: refusalBy(health, url.origin) };
  const own = await ownSandbox(stranger);
  if ('why' in own && own.isTypo) return { refused: `${url.origin}: ${own.why}.` };
  const instance = new Instance({
    ...parts,
    why: '',
    ...own,
  });
  const verdicts: Verdict[] = [];
  try {
    const waiting = attacks.filter(({ waits }) => waits);
    const begun = isThorough ? verdictOn : skipped;
    const slow = new Map(waiting.map(attack => [attack, begun(attack, instance)]));
    for (const attack of attacks) {
      if (signal.aborted) break;
      const verdict = await (slow.get(attack) ?? verdictOn(attack, instance));
      verdicts.push(verdict);
      tell?.(verdict);
    }
  } finally {
    parts.wire.close();
  }
  const isDropped = await dropped(parts, instance);
  return { verdicts, ...(isDropped ? {} : { left: instance.parts.sandbox ?? '' }) };
}

/** Time limit for dropping the sandbox. */
export const DROP_MS = 4_000;

/** Over new connections: those of the attacks may have been aborted. */
async function dropped(parts: Omit<InstanceParts, 'why'>, { parts: { sandbox } }: Instance): Promise<boolean> {
  if (sandbox === undefined) return true;
  const wire = new Wire(parts.url, 1, AbortSignal.timeout(DROP_MS));
  try {
    const { answer } = await new Instance({ ...parts, wire, why: '' }).control(
      'DELETE',
      `/_fake/v1/sandboxes/${sandbox}`,
    );
    return answer?.status === 204 || answer?.status === 404;
  } catch (error) {
    if (error instanceof Unreachable) return false;
    throw error;
  } finally {
    wire.close();
  }
}

function skipped(attack: Attack, { parts: { patience } }: Instance): Verdict {
  const says = `it waits for up to ${patience / 1000} s: give --thorough`;
  return { attack, judgement: 'not applicable', says, trials: [], duration: 0 };
}

async function verdictOn(attack: Attack, instance: Instance): Promise<Verdict> {
  const begun = performance.now();
  const finding = await findingOf(attack, instance);
  return { attack, ...finding, duration: performance.now() - begun };
}

async function findingOf(attack: Attack, instance: Instance): Promise<Omit<Verdict, 'attack' | 'duration'>> {
  const { sandbox, why, wire } = instance.parts;
  if (attack.needsSandbox && sandbox === undefined) return { judgement: 'not applicable', says: why, trials: [] };
  try {
    const finding = await attack.run(instance);
    return wire.over === undefined ? judged(finding) : unfinished(wire.over);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    if (wire.over !== undefined) return unfinished(wire.over);
    return { judgement: 'failed to ask', says: error.message, trials: [] };
  }
}

function unfinished({ message: says }: Unreachable): Omit<Verdict, 'attack' | 'duration'> {
  return { judgement: 'not finished', says, trials: [] };
}

function judged(finding: Finding): Omit<Verdict, 'attack' | 'duration'> {
  if ('inapplicable' in finding) return { judgement: 'not applicable', says: finding.inapplicable, trials: [] };
  const { trials, says = counted(trials) } = finding;
  return { judgement: trials.some(({ isOpen }) => isOpen) ? 'open' : 'passed', says, trials };
}

/** `9 tries: 8 × 421, 1 × 400` */
function counted(trials: readonly Trial[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of trials) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const parts = [...counts].sort(([, a], [, b]) => b - a).map(([outcome, count]) => `${count} × ${outcome}`);
  return `${trials.length} ${trials.length === 1 ? 'try' : 'tries'}: ${parts.join(', ')}`;
}
