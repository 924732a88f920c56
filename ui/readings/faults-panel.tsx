// Armed faults with their counts, and a form that arms one.
import { useSignal } from '@preact/signals';
import type { ArmedFault, JsonObject } from '../client/wire.js';
import { readLedger } from '../live/ledger.js';
import { client, entries, settingsChanges } from '../live/sandbox.js';
import { ProblemNote } from '../parts/problem-note.js';
import { useAction, useResource } from '../parts/resource.js';

interface Effect {
  readonly title: string;
  readonly effect: JsonObject;
  readonly phase?: string;
}

const effects: readonly Effect[] = [
  { title: '503, try again in 2 s', effect: { status: 503, retryAfter: 2 } },
  { title: '500', effect: { status: 500 } },
  { title: '429, try again in 1 s', effect: { status: 429, retryAfter: 1 } },
  { title: 'Wait 2 s', effect: { delay: 2000 } },
  { title: 'Hang up before it is done', effect: { hangUp: true } },
  { title: 'Hang up after it is done', effect: { hangUp: true }, phase: 'after' },
  { title: 'Answer that is no JSON', effect: { garble: true } },
  { title: 'Answer cut after 5 bytes', effect: { truncateAt: 5 } },
];

const whens: ReadonlyArray<readonly [title: string, when: JsonObject]> = [
  ['the next request', { times: 1 }],
  ['every request', {}],
  ['every second request', { when: { every: 2 } }],
  ['half of them, by chance', { when: { chance: 0.5 } }],
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
          <button
            type="button"
            class="quiet"
            disabled={isBusy.value}
            onClick={() => run(() => client.in(sandbox).disarm())}
          >
            Take all away
          </button>
        )}
      </h2>
      {armed.length === 0 ? (
        <p class="muted">None is armed. A fault breaks an answer on purpose: try how your client takes it.</p>
      ) : (
        <ul class="rows">
          {armed.map((fault, i) => (
            <Armed key={`${i}`} fault={fault} />
          ))}
        </ul>
      )}
      <ArmForm sandbox={sandbox} />
      <ProblemNote error={error.value ?? read.error.value} />
    </section>
  );
}

function Armed({ fault: { operation, path, met, fired, effect, ...rest } }: { readonly fault: ArmedFault }) {
  return (
    <li class="armed">
      <div>
        <code>{operation ?? path}</code>{' '}
        <bdi class="muted">
          {wordsOf(effect)}
          {Object.keys(rest).length > 0 && `, ${wordsOf(rest as JsonObject)}`}
        </bdi>
      </div>
      <span class={`badge ${fired > 0 ? 'fault' : 'same'}`}>
        fired {fired} of {met}
      </span>
    </li>
  );
}

function wordsOf(object: JsonObject): string {
  return Object.entries(object)
    .map(([name, value]) =>
      value === true
        ? name
        : `${name} ${typeof value === 'object' ? JSON.stringify(value).replaceAll('"', '') : value}`,
    )
    .join(', ');
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
        <span>What happens</span>
        <select value={effect.value} onChange={event => (effect.value = Number(event.currentTarget.value))}>
          {effects.map(({ title }, i) => (
            <option key={title} value={i}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>To</span>
        <select value={when.value} onChange={event => (when.value = Number(event.currentTarget.value))}>
          {whens.map(([title], i) => (
            <option key={title} value={i}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" class="primary" disabled={isBusy.value}>
        Arm
      </button>
      <ProblemNote error={error.value} />
    </form>
  );
}
