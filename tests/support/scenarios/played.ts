// Plays scenarios for tests: in this process, and against a small target that answers what a test tells it and records what it was asked.

import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { inProcess } from '../../../server/library/target/in-process-target.js';
import type { Step } from '../../../server/scenario/format/step-format.js';
import type { Loaded } from '../../../server/scenario/load/load-scenario.js';
import { differenceText } from '../../../server/scenario/play/evidence.js';
import { type Played, Player, type PlaySettings } from '../../../server/scenario/play/player.js';
import type { Insight, Received, SandboxControl, Target } from '../../../server/scenario/play/target.js';
import { smallTeam } from '../worlds/ask.js';
import { assembled } from './shipped-runs.js';

export async function playedIn(loaded: Loaded): Promise<Played[]> {
  const fake = await assembled();
  const target = inProcess(fake, 'play');
  try {
    return await playedBy(new Player(loaded, target));
  } finally {
    await target.close();
    fake.end();
  }
}

export async function playedBy(player: Player): Promise<Played[]> {
  const played: Played[] = [];
  for await (const step of player.all()) played.push(step);
  return played;
}

export function playedText({ step, differences }: Played): string[] {
  return differences.map(difference => `${step.say}: ${differenceText(difference)}`);
}

/** A scenario on the small team with these steps. The line of a step is ten times its number. */
export function story(steps: readonly Step[], more: Partial<Loaded> = {}): Loaded {
  return {
    origin: { scenario: 'own-story', world: smallTeam, readings: {} },
    title: 'Told here',
    about: '',
    files: [],
    lineOf: ([, index]) => 10 * (Number(index) + 1),
    ...more,
    steps,
  };
}

export interface ApiResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
  readonly insight?: Insight;
}

/** A target that gives one response after the other, the last one from then on; `records` is what its world holds. */
export class Recorder implements Target {
  readonly url = 'http://recorder';
  readonly asked: HttpRequest[] = [];
  readonly done: string[] = [];
  readonly control?: SandboxControl;
  #responses: readonly ApiResponse[];

  constructor(
    responses: readonly ApiResponse[],
    readonly context = '',
    records?: Readonly<Record<string, unknown>>,
  ) {
    this.#responses = responses;
    if (records !== undefined) this.control = this.#behind(records);
  }

  async send(request: HttpRequest): Promise<Received> {
    this.asked.push(request);
    const {
      status = 200,
      headers = {},
      text = '',
    } = this.#responses[this.asked.length - 1] ?? this.#responses.at(-1) ?? {};
    return { status, headers, text };
  }

  async close(): Promise<void> {
    this.done.push('close');
  }

  #behind(records: Readonly<Record<string, unknown>>): SandboxControl {
    return {
      begin: async ({ origin }, readings) => {
        this.done.push('begin');
        return { ...origin.readings, ...readings };
      },
      arm: async faults => void this.done.push(`arm ${JSON.stringify(faults)}`),
      turn: async clock => {
        this.done.push(`turn ${JSON.stringify(clock)}`);
        return [];
      },
      choose: async readings => {
        this.done.push(`choose ${JSON.stringify(readings)}`);
        return readings;
      },
      patch: async patch => {
        this.done.push(`patch ${JSON.stringify(patch)}`);
        return [];
      },
      record: async (name, key) => records[`${name}/${key}`],
      part: async name => records[name],
      insight: async () => (this.#responses[this.asked.length - 1] ?? this.#responses.at(-1))?.insight,
      end: async () => void this.done.push('end'),
    };
  }
}

export async function playedOn(
  target: Recorder,
  steps: readonly Step[],
  settings: PlaySettings = {},
  more: Partial<Loaded> = {},
): Promise<Played[]> {
  return playedBy(new Player(story(steps, more), target, settings));
}
