// The clock of the sandbox: set, advance, freeze, run.
import { useSignal } from '@preact/signals';
import type { JsonObject } from '../client/wire.js';
import { isRunning, now, showClock } from '../live/clock.js';
import { client } from '../live/sandbox.js';
import { Button } from '../parts/button.js';
import { Field } from '../parts/field.js';
import { Instant } from '../parts/instant.js';
import { ProblemNote } from '../parts/problem-note.js';
import { useAction } from '../parts/resource.js';
import { undoable } from '../parts/undo.js';

const steps = [
  ['+1 min', 'PT1M'],
  ['+1 h', 'PT1H'],
  ['+1 day', 'P1D'],
  ['+30 days', 'P30D'],
] as const;

export function ClockPanel({ sandbox }: { readonly sandbox: string }) {
  const wanted = useSignal('');
  const { error, queue } = useAction(); // presses in a row count, however slow the server is
  const turn = (order: JsonObject, text: string) =>
    queue(() => undoable(text, async () => showClock(await client.in(sandbox).turn(order))));
  const set = (event: Event) => {
    event.preventDefault();
    const to = `${wanted.peek()}${wanted.peek().length === 16 ? ':00' : ''}Z`;
    turn({ set: to, running: isRunning.peek() }, `Clock set to ${to}`);
  };
  return (
    <section class="pane card" aria-label="Clock">
      <h2>Clock</h2>
      <p class="clock-now num">
        {now.value && <Instant at={now.value} withDay />} <span class="muted">UTC</span>{' '}
        <span class="badge same">{isRunning.value ? 'running' : 'stopped'}</span>
      </p>
      <div class="actions">
        <Button
          onClick={() =>
            isRunning.peek() ? turn({ freeze: true }, 'Clock stopped') : turn({ run: true }, 'Clock running')
          }
        >
          {isRunning.value ? 'Stop' : 'Run'}
        </Button>
        {steps.map(([title, advance]) => (
          <Button key={advance} onClick={() => turn({ advance }, `Clock ${title}`)}>
            {title}
          </Button>
        ))}
      </div>
      <form class="inline" onSubmit={set}>
        <Field label="Set to (UTC)" of={wanted} type="datetime-local" step={1} required />
        <Button type="submit">Set</Button>
      </form>
      <ProblemNote error={error.value} />
    </section>
  );
}
