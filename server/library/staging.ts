// The half of a held sandbox that brings it to where somebody wants it: by a scenario that is played, or by the state that a contract asks for.
import { found } from '../engine/request/validate.js';
import type { Origin } from '../engine/sandbox/state.js';
import { absentStep } from '../scenario/play/absent-step.js';
import type { Played } from '../scenario/play/player.js';
import { Unreachable } from '../scenario/play/target.js';
import { ProviderSetup } from '../scenario/states/provider-setup.js';
import type { PlayOptions, Sandbox } from './api.js';
import { FakeError } from './fake-error.js';
import { InquiringSandbox } from './inquiring.js';
import { unknownKeys } from './options.js';
import { loaded } from './origin.js';

export abstract class StagingSandbox extends InquiringSandbox {
  abstract readonly name: string;
  /** What it begins with; left out, what the fake begins with. */
  abstract readonly origin?: Origin | undefined;
  #setup: ProviderSetup | undefined;

  get states(): Sandbox['states'] {
    return {
      setUp: async (state, params) => {
        await this.live();
        const done = await this.#setUp().setUp(String(state), params);
        if ('values' in done) return done.values;
        throw new FakeError(`The state ${JSON.stringify(state)} cannot be`, done.problems);
      },
      tearDown: async () => {
        this.inside.check();
        await this.#setUp().tearDown();
      },
    };
  }

  async play(scenario: string, options: PlayOptions = {}): Promise<readonly Played[]> {
    const { step } = options;
    const problems = [...unknownKeys(options, ['step'], 'a play'), ...stepProblems(step)];
    if (problems.length > 0) throw new FakeError('Nothing can be played so', problems);
    const story = loaded(scenario, this.inside);
    const absent = absentStep(story, step);
    if (absent !== undefined) throw new FakeError('There is nothing to play', [{ message: absent }]);
    const { players } = this.inside.assembled;
    const index = step === undefined ? undefined : step - 1;
    const played = await players.play(await this.live(), story, index).catch(error => {
      throw error instanceof Unreachable ? cutShort(error) : error;
    });
    if (played !== 'busy') return played;
    const message = `Wait until the scenario that is being played in the sandbox ${this.name} has ended.`;
    throw new FakeError('Nothing can be played now', [{ message }]);
  }

  #setUp(): ProviderSetup {
    const { assembled, scenarios } = this.inside;
    const { session, folders } = assembled;
    const origin = () => this.origin ?? session.origin;
    const load = (scenario: string) => scenarios.open(scenario);
    this.#setup ??= new ProviderSetup({ session, sandbox: this.name, origin, folders, load });
    return this.#setup;
  }
}

function stepProblems(step: number | undefined) {
  if (step === undefined || (Number.isInteger(step) && step >= 1)) return [];
  return [{ message: `it takes a whole number from 1, and it is ${found(step)}`, pointer: '/step' }];
}

function cutShort({ message }: Unreachable): FakeError {
  return new FakeError('The play was cut short', [{ message: `${message}.` }]);
}
