// The stubs of the sandbox with their counts.
import { client, entries, settingsChanges } from '../live/sandbox.js';
import { Button } from '../parts/button.js';
import { EmptyState } from '../parts/empty-state.js';
import { ProblemNote } from '../parts/problem-note.js';
import { useAction, useResource } from '../parts/resource.js';
import { ArmedRow } from './armed-row.js';
import { stubText } from './fault-text.js';

export function StubsPanel({ sandbox }: { readonly sandbox: string }) {
  const latest = entries.value.findLast(({ stub }) => stub !== undefined)?.id;
  const read = useResource(() => client.in(sandbox).stubs(), [sandbox, settingsChanges.value, latest]);
  const { error, isBusy, run } = useAction();
  const stubs = read.value.value?.stubs ?? [];
  return (
    <section class="pane card" aria-label="Stubs">
      <h2>
        Stubs
        {stubs.length > 0 && (
          <Button class="quiet" isOff={isBusy.value} onClick={() => run(() => client.in(sandbox).clearStubs())}>
            Remove all
          </Button>
        )}
      </h2>
      {read.value.value !== undefined && stubs.length === 0 && (
        <EmptyState isSmall title="No stubs.">
          Answer requests that the fake does not model: <code>cwx-fake stubs add /rest/webhooks/1.0</code>
        </EmptyState>
      )}
      <ul class="rows faults">
        {stubs.map((stub, i) => (
          <ArmedRow
            key={`${i}`}
            armed={stub}
            text={stubText(stub)}
            isBusy={isBusy.value}
            onRemove={() => run(() => client.in(sandbox).clearStubs(i + 1))}
          />
        ))}
      </ul>
      <ProblemNote error={error.value ?? read.error.value} />
    </section>
  );
}
