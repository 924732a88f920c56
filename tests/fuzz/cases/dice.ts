// Repeatable randomness: what the generator draws for a case depends only on the seed and the number of the case.
import { type Random, randomOf } from '../../../server/engine/faults/random.js';

export class Dice {
  readonly #random: Random;

  constructor(seed: number, at: number) {
    this.#random = randomOf(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(at + 1, 0xc2b2ae35));
    this.#random(2); // the first numbers of neighbouring seeds are alike
  }

  /** A whole number from 0 up to, and not including, a limit. */
  under(limit: number): number {
    return this.#random(limit);
  }

  between(least: number, most: number): number {
    return least + this.#random(most - least + 1);
  }

  /** True with this probability in percent. */
  in100(times: number): boolean {
    return this.#random(1000) < times * 10;
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.#random(list.length)] ?? list[0];
  }

  /** One of several, in proportion to its weight. */
  weighed<T>(choices: ReadonlyArray<readonly [weight: number, choice: T]>): T {
    let at = this.#random(choices.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, choice] of choices) {
      at -= weight;
      if (at < 0) return choice;
    }
    throw new Error('there is nothing to choose from');
  }

  shuffled<T>(list: readonly T[]): T[] {
    const left = [...list];
    return list.flatMap(() => left.splice(this.#random(left.length), 1));
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.#random(256)));
  }

  /** Printable ASCII without a blank. */
  word(least: number, most: number): string {
    return String.fromCharCode(...Array.from({ length: this.between(least, most) }, () => this.between(0x21, 0x7e)));
  }

  name(length: number): string {
    return Array.from({ length }, () => 'abcdefghijklmnopqrstuvwxyz0123456789'[this.#random(36)]).join('');
  }
}
