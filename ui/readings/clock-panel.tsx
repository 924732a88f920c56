// The clock of the sandbox: set, advance, freeze, run.
import { useSignal } from '@preact/signals';
import type { JsonObject } from '../client/wire.js';
import { isRunning, now, showClock } from '../live/clock.js';
import { here } from '../live/sandbox.js';
import { Button } from '../parts/button.js';
import { bound, Field } from '../parts/field.js';
import { Form } from '../parts/form/form.js';
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

export function ClockPanel() {
  const wanted = useSignal('');
  const inSandbox = here();
  const { error, queue } = useAction(); // presses in a row count, however slow the server is
  const turn = (order: JsonObject, text: string) => undoable(text, async () => showClock(await inSandbox.turn(order)));
  const set = () => {
    const to = `${wanted.peek()}${wanted.peek().length === 16 ? ':00' : ''}Z`;
    return turn({ set: to, running: isRunning.peek() }, `Clock set to ${to}`);
  };
  const toggle = () =>
    isRunning.peek() ? turn({ freeze: true }, 'Clock stopped') : turn({ run: true }, 'Clock running');
  return (
    <section class="pane card" aria-label="Clock">
      <h2>Clock</h2>
      <p class="clock-now num">
        {now.value && <Instant at={now.value} withDay />} <span class="muted">UTC</span>{' '}
        <span class="badge same">{isRunning.value ? 'running' : 'stopped'}</span>
      </p>
      <div class="actions">
        <Button onClick={() => queue(toggle)}>{isRunning.value ? 'Stop' : 'Run'}</Button>
        {steps.map(([title, advance]) => (
          <Button key={advance} onClick={() => queue(() => turn({ advance }, `Clock ${title}`))}>
            {title}
          </Button>
        ))}
      </div>
      <ProblemNote error={error} />
      <Form action="Set" onSubmit={set} isInline>
        <Field label="Set to (UTC)" {...bound(wanted)} type="datetime-local" step={1} required />
      </Form>
    </section>
  );
}
