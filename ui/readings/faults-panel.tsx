// Armed faults with their counts, and a form that arms one.
import { useSignal } from '@preact/signals';
import type { JsonObject } from '../client/wire.js';
import { readLedger } from '../live/ledger.js';
import { client, entries, settingsChanges } from '../live/sandbox.js';
import { announce } from '../parts/announcer.js';
import { Button } from '../parts/button.js';
import { EmptyState } from '../parts/empty-state.js';
import { ProblemNote } from '../parts/problem-note.js';
import { useAction, useResource } from '../parts/resource.js';
import { ArmedRow } from './armed-row.js';
import { faultText } from './fault-text.js';

interface Effect {
  readonly title: string;
  readonly effect: JsonObject;
  readonly phase?: string;
}

const effects: readonly Effect[] = [
  { title: '503, Retry-After: 2', effect: { status: 503, retryAfter: 2 } },
  { title: '500', effect: { status: 500 } },
  { title: '429, Retry-After: 1', effect: { status: 429, retryAfter: 1 } },
  { title: 'Delay of 2 s', effect: { delay: 2000 } },
  { title: 'Held until released', effect: { hold: 'dashboard' } },
  { title: '10 requests a minute', effect: { rateLimit: { limit: 10, window: 60 } } },
  { title: 'Connection closed, not applied', effect: { hangUp: true } },
  { title: 'Connection closed, applied', effect: { hangUp: true }, phase: 'after' },
  { title: 'Invalid JSON', effect: { garble: true } },
  { title: 'Response cut after 5 bytes', effect: { truncateAt: 5 } },
];

const whens: ReadonlyArray<readonly [title: string, when: JsonObject]> = [
  ['the next request', { times: 1 }],
  ['every request', {}],
  ['every second request', { when: { every: 2 } }],
  ['half of the requests, at random', { when: { chance: 0.5 } }],
];

export function FaultsPanel({ sandbox }: { readonly sandbox: string }) {
  const latest = entries.value.findLast(({ fault }) => fault !== undefined)?.id;
  const read = useResource(() => client.in(sandbox).faults(), [sandbox, settingsChanges.value, latest]);
  const { error, isBusy, run } = useAction();
  const armed = read.value.value?.faults ?? [];
  return (
    <section class="pane card" aria-label="Faults">
      <h2>
        Faults
        {armed.length > 0 && (
          <Button class="quiet" isOff={isBusy.value} onClick={() => run(() => client.in(sandbox).disarm())}>
            Disarm all
          </Button>
        )}
      </h2>
      {read.value.value !== undefined && armed.length === 0 && (
        <EmptyState isSmall title="No faults.">
          Arm one to test how your client handles a broken response.
        </EmptyState>
      )}
      <ul class="rows faults">
        {armed.map((fault, i) => (
          <ArmedRow
            key={`${i}`}
            armed={fault}
            text={faultText(fault)}
            hold={fault.effect.hold}
            isBusy={isBusy.value}
            onRelease={hold =>
              run(async () => {
                const { released } = await client.in(sandbox).release(hold);
                announce(`Released ${released}`);
              })
            }
            onRemove={() => run(() => client.in(sandbox).disarm(i + 1))}
          />
        ))}
      </ul>
      <ArmForm sandbox={sandbox} />
      <ProblemNote error={error.value ?? read.error.value} />
    </section>
  );
}

function ArmForm({ sandbox }: { readonly sandbox: string }) {
  const ledger = useResource(readLedger, []);
  const operations = [...new Set(ledger.value.value?.rules.flatMap(rule => rule.operations))];
  const operation = useSignal('');
  const effect = useSignal(0);
  const when = useSignal(0);
  const { error, isBusy, run } = useAction();
  const arm = (event: Event) => {
    event.preventDefault();
    const chosen = effects[effect.peek()];
    const [, times] = whens[when.peek()] ?? ['', {}];
    if (chosen === undefined) return;
    const { effect: done, phase } = chosen;
    const fault = {
      operation: operation.peek() || operations[0] || '',
      ...times,
      ...(phase && { phase }),
      effect: done,
    };
    run(() => client.in(sandbox).arm([fault], true));
  };
  return (
    <form class="arm" onSubmit={arm}>
      <label class="field">
        <span>Operation</span>
        <select
          value={operation.value || operations[0]}
          onChange={event => (operation.value = event.currentTarget.value)}
        >
          {operations.map(id => (
            <option key={id}>{id}</option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>Effect</span>
        <select value={effect.value} onChange={event => (effect.value = Number(event.currentTarget.value))}>
          {effects.map(({ title }, i) => (
            <option key={title} value={i}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>Requests</span>
        <select value={when.value} onChange={event => (when.value = Number(event.currentTarget.value))}>
          {whens.map(([title], i) => (
            <option key={title} value={i}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <Button type="submit" class="primary" isOff={isBusy.value}>
        Arm
      </Button>
      <ProblemNote error={error.value} />
    </form>
  );
}
