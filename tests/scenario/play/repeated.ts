// Every scenario passes, and the same requests give the same bytes: in a new sandbox, and after a rewind.
import { expect } from 'chai';
import { formOf } from '../../../server/domain/form/form.js';
import type { HistoryError } from '../../../server/engine/sandbox/history.js';
import type { CurrentSandbox, SandboxDecision } from '../../../server/engine/sandbox/sandbox-decision.js';
import { rewinding } from '../../../server/engine/sandbox/versions.js';
import { inProcess } from '../../../server/library/target/in-process-target.js';
import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import type { Assembled } from '../../../server/process/server.js';
import type { Loaded } from '../../../server/scenario/load/load-scenario.js';
import { Player } from '../../../server/scenario/play/player.js';
import { type Run, readingsOf, runName } from '../../../server/scenario/play/runs.js';
import type { Received, Target } from '../../../server/scenario/play/target.js';
import { playedText } from '../../support/scenarios/played.js';
import { assembled } from '../../support/scenarios/shipped-runs.js';

const NAME = 'again';
const CLOCK = '2026-01-05T09:00:00Z';

/** A push to a hundred thousand users is larger than the kept history. */
const heavy: readonly string[] = ['large'];

/** The result of a run: every response as sent, the world, and the times of the journal. */
interface Left {
  readonly responses: readonly string[];
  readonly world: string;
  readonly times: readonly string[];
  /** The steps that failed or were not checked, and why. */
  readonly failed: readonly string[];
}

/** The journal continues when a sandbox is rewound, and responses are named after their entries. */
function unnamed({ responses, ...rest }: Left): Left {
  return { responses: responses.map(response => response.replace(/\["x-request-id","again\.\d+"\],/, '')), ...rest };
}

export function testRepeated(chosen: readonly Run[]): void {
  describe('every shipped scenario passes, and gives the same bytes again', () => {
    let fake: Assembled;
    before(async () => {
      fake = await assembled();
    });
    after(() => fake.end());

    for (const run of chosen) {
      it(runName(run), async () => {
        const first = await left(run, 'begin');
        expect(first.failed).to.deep.equal([]);
        const { session } = fake;
        const decided = async <T>(decide: (present: CurrentSandbox) => SandboxDecision<T>) => {
          const changed = await session.change(session.sandboxes.find(NAME) ?? expect.fail('it is gone'), decide);
          return changed === 'gone' ? expect.fail('it is gone') : changed.result;
        };
        expect(await left(run, 'begin'), 'in a new sandbox').to.deep.equal(first);
        const hindered = await decided(rewinding(0)).catch(error => (error as HistoryError).code);
        expect(hindered).to.equal(heavy.includes(run.name) ? 'let-go' : undefined);
        if (hindered === undefined)
          expect(unnamed(await left(run, 'go on')), 'after a rewind').to.deep.equal(unnamed(first));
        if (run.loaded.steps.length > 0) expect(first.responses.join('')).to.contain('x-fake-rules');
      });
    }

    it('and would not if anything of the previous run were left', async () => {
      const run = chosen.find(({ name }) => name === 'onboarding-a-team') ?? expect.fail('there is no such scenario');
      const first = await left(run, 'begin');
      expect(await left(run, 'go on')).not.to.deep.equal(first);
    });

    async function left({ loaded, ...run }: Run, how: 'begin' | 'go on'): Promise<Left> {
      const responses: string[] = [];
      const failed: string[] = [];
      const target = heard(inProcess(fake, NAME), responses);
      const { session } = fake;
      const readings: SomeReadings =
        how === 'begin' ? readingsOf({ loaded, ...run }) : (session.sandboxes.find(NAME)?.readings ?? {});
      const player = new Player(standing(loaded), target, { readings });
      const from = how === 'begin' ? 0 : (session.sandboxes.find(NAME)?.journal.last?.id ?? 0);
      if (how === 'begin') await player.begin();
      for (const index of loaded.steps.keys()) {
        const played = await player.play(index);
        if (played.outcome !== 'passed' || played.unchecked.length > 0)
          failed.push(played.step.say, ...playedText(played));
      }
      const { state, journal } = session.sandboxes.find(NAME) ?? expect.fail('it is gone');
      const times = journal.entries({ since: from }).map(({ at }) => at);
      return { responses, world: JSON.stringify(formOf(state.world)), times, failed };
    }
  });
}

/** A scenario without a clock of its own gets a frozen one. */
function standing(loaded: Loaded): Loaded {
  return { ...loaded, origin: { clock: CLOCK, ...loaded.origin } };
}

/** The same target, recording every response. Its Date header comes from the machine's clock, not from the fake. */
function heard(target: Target, responses: string[]): Target {
  return {
    ...target,
    send: async request => {
      const received: Received = await target.send(request);
      const headers = Object.entries(received.headers).filter(([name]) => name.toLowerCase() !== 'date');
      responses.push(JSON.stringify([request.method, request.path, received.status, headers, received.text]));
      return received;
    },
  };
}
