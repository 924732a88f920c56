// The cases of a run: the same bytes for the same number and seed, and the effects they must have. Sends nothing.
import type { ModelFault } from '../../model/model.js';
import { faultsBy } from '../lanes/faults-armed.js';
import { type Asked, askedBy } from './asked.js';
import { controlBytes } from './control-asked.js';
import { Dice } from './dice.js';
import { type Framed, oddly, plainly } from './framing.js';
import { malformed } from './malformed.js';
import { mutated } from './mutation.js';

export type Kind =
  | 'plain'
  | 'another client'
  | 'oddly written'
  | 'pipelined'
  | 'malformed'
  | 'a wrong length'
  | 'half-closed'
  | 'cut off'
  | 'reset'
  | 'bytes changed'
  | 'among faults'
  | 'control'
  | 'control, bytes changed';

/** The sandboxes of one lane: each is checked in its own way. */
export interface Sandboxes {
  /** Every request is known, and so is its response. */
  readonly own: string;
  /** The requests cannot be predicted; the journal has them afterwards. */
  readonly free: string;
  /** Changed over the control API by unpredictable requests. */
  readonly wild: string;
  /** Faults are armed in it. */
  readonly faulty: string;
}

export interface Case {
  readonly at: number;
  readonly kind: Kind;
  readonly bytes: Buffer;
  /** Where the bytes are split; each part is sent a moment after the previous one. */
  readonly cuts: readonly number[];
  /** The requests that must be performed, in their order. */
  readonly asked: readonly Asked[];
  /** The possible statuses of the refusal of what follows them; empty: nothing follows. */
  readonly refusal: readonly number[];
  /** What happens to the sending side after the last byte. */
  readonly ending: 'open' | 'half-close' | 'reset';
  /** Over the kept connection of the lane, or over one of its own. */
  readonly isKept: boolean;
  /** Number of requests. */
  readonly tried: number;
  /** If each of them is sent separately: their bytes. */
  readonly parts?: readonly Buffer[];
  readonly faults?: readonly ModelFault[];
}

const shares: ReadonlyArray<readonly [weight: number, choice: Kind]> = [
  [26, 'plain'],
  [3, 'another client'],
  [20, 'oddly written'],
  [8, 'pipelined'],
  [6, 'malformed'],
  [2, 'a wrong length'],
  [3, 'half-closed'],
  [3, 'cut off'],
  [1, 'reset'],
  [20, 'bytes changed'],
  [2, 'among faults'],
  [3, 'control'],
  [3, 'control, bytes changed'],
];

export function caseAt(seed: number, at: number, sandboxes: Sandboxes): Case {
  const dice = new Dice(seed, at);
  const kind = dice.weighed(shares);
  const made = makers[kind](dice, sandboxes, at);
  const cuts = dice.in100(kind === 'plain' ? 3 : 15) ? cutsIn(made.bytes.length, dice) : [];
  const usual = { asked: [], refusal: [], ending: 'open', isKept: false, tried: 1 } as const;
  return { ...usual, ...made, at, kind, cuts };
}

/** The sandbox of a request that may be lost in a connection reset. */
export function limboOf(own: string, at: number): string {
  return `${own}-${at}`;
}

type Made = Pick<Case, 'bytes'> & Partial<Case>;

const makers: Readonly<Record<Kind, (dice: Dice, sandboxes: Sandboxes, at: number) => Made>> = {
  plain: (dice, { own }) => {
    const asked = askedBy(dice);
    return { bytes: plainly(asked, own, dice).bytes, asked: [asked], isKept: dice.in100(95) };
  },
  'another client': (dice, { own }) => {
    const asked = askedBy(dice, true);
    return { bytes: plainly(asked, own, dice).bytes, asked: [asked] };
  },
  'oddly written': (dice, { own }) => {
    const asked = askedBy(dice);
    return { bytes: oddly(asked, own, dice).bytes, asked: [asked], isKept: dice.in100(80) };
  },
  pipelined: (dice, { own }) => {
    const all = Array.from({ length: dice.between(2, 6) }, (): [Asked, Framed] => {
      const asked = askedBy(dice);
      return [asked, dice.in100(50) ? oddly(asked, own, dice) : plainly(asked, own, dice)];
    });
    const last = all.findIndex(([asked, { isLast }]) => isLast || asked.request.body.kind === 'too-large');
    const sent = last === -1 ? all : all.slice(0, last + 1); // what follows the last request of a connection is lost
    return {
      bytes: Buffer.concat(sent.map(([, { bytes }]) => bytes)),
      asked: sent.map(([asked]) => asked),
      isKept: true,
      tried: sent.length,
    };
  },
  malformed: (dice, { own }) => {
    const first = dice.in100(40) ? [askedBy(dice, true)] : [];
    const before = first.map(asked => plainly(asked, own, dice).bytes);
    const { bytes, statuses } = malformed(own, dice);
    return {
      bytes: Buffer.concat([...before, bytes]),
      asked: first,
      refusal: statuses,
      isKept: dice.in100(30),
      tried: first.length + 1,
    };
  },
  'a wrong length': (dice, { own }) => {
    const { bytes: body = Buffer.from('{}'), request } = askedBy(dice, true);
    const less = dice.under(body.length);
    const text = body.toString('latin1', 0, less);
    const cut = less === 0 ? ({ kind: 'absent' } as const) : ({ kind: 'not-json', text, problem: '' } as const);
    const part = { request: { ...request, contentType: 'application/json', body: cut }, bytes: body.subarray(0, less) };
    return {
      bytes: Buffer.concat([plainly(part, own, dice).bytes, body.subarray(less)]), // the rest stands where the next request should
      asked: [part],
      refusal: [400],
      tried: 2,
    };
  },
  'half-closed': (dice, { own }) => {
    const asked = askedBy(dice, true);
    return { bytes: plainly(asked, own, dice).bytes, asked: [asked], ending: 'half-close' };
  },
  'cut off': (dice, { own }) => {
    const asked = askedBy(dice, true);
    const { bytes } = dice.in100(50) ? oddly(asked, own, dice) : plainly(asked, own, dice);
    return {
      bytes: bytes.subarray(0, dice.under(bytes.length)),
      refusal: [400],
      ending: dice.in100(50) ? 'half-close' : 'reset',
    };
  },
  reset: (dice, { own }, at) => {
    let asked = askedBy(dice, true);
    while (asked.request.url.includes('/spaces/')) asked = askedBy(dice, true); // their changes carry the time, and no request sets that clock
    return { bytes: plainly(asked, limboOf(own, at), dice).bytes, asked: [asked], ending: 'reset' };
  },
  'bytes changed': (dice, { free }) => {
    const isHead = ({ request }: Asked) => request.method === 'HEAD'; // it would be unknown which response has no body
    const asked = Array.from({ length: dice.between(1, 3) }, () => {
      const one = askedBy(dice);
      return isHead(one) ? askedBy(dice, true) : one;
    });
    const whole = Buffer.concat(
      asked.map(one => (dice.in100(30) ? oddly(one, free, dice) : plainly(one, free, dice)).bytes),
    );
    const bytes = mutated(whole, dice.pick([1, 1, 1, 2, 3, 8]), dice);
    return { bytes, ending: dice.in100(90) ? 'half-close' : 'reset', tried: asked.length };
  },
  'among faults': (dice, { faulty }) => {
    const asked = Array.from({ length: dice.between(3, 8) }, () => askedBy(dice, true));
    const parts = asked.map(one => plainly(one, faulty, dice).bytes);
    return { bytes: Buffer.concat(parts), parts, asked, tried: asked.length, faults: faultsBy(dice) };
  },
  control: (dice, { wild }) => ({ bytes: controlBytes(wild, dice, true), isKept: true }),
  'control, bytes changed': (dice, { wild }) => {
    const bytes = mutated(controlBytes(wild, dice, false), dice.pick([1, 1, 2, 4]), dice);
    return { bytes, ending: dice.in100(90) ? 'half-close' : 'reset' };
  },
};

function cutsIn(length: number, dice: Dice): number[] {
  if (dice.in100(10) && length < 300) return Array.from({ length: length - 1 }, (_, i) => i + 1);
  const cuts = new Set(Array.from({ length: dice.between(1, 5) }, () => dice.under(length)));
  return [...cuts].sort((a, b) => a - b);
}
