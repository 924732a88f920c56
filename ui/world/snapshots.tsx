// Snapshots: keep this moment, return to one.
import { useSignal } from '@preact/signals';
import { client, settingsChanges } from '../live/sandbox.js';
import { Dialog } from '../parts/dialog.js';
import { Instant } from '../parts/instant.js';
import { ProblemNote } from '../parts/problem-note.js';
import { useAction, useResource } from '../parts/resource.js';

export function Snapshots({ sandbox, onClose }: { readonly sandbox: string; readonly onClose: () => void }) {
  const name = useSignal('');
  const { error, isBusy, run } = useAction();
  const read = useResource(() => client.in(sandbox).snapshots(), [sandbox, settingsChanges.value]);
  const kept = read.value.value?.snapshots ?? [];
  const keep = (event: Event) => {
    event.preventDefault();
    run(async () => {
      await client.in(sandbox).keep(name.peek());
      name.value = '';
    });
  };
  return (
    <Dialog title="Snapshots" onClose={onClose}>
      <form class="inline" onSubmit={keep}>
        <label class="field">
          <span>Keep this moment as</span>
          <input
            placeholder="a name, or none"
            pattern="[A-Za-z0-9._\-]{1,64}"
            value={name.value}
            onInput={event => (name.value = event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={isBusy.value}>
          Keep
        </button>
      </form>
      <ProblemNote error={error.value ?? read.error.value} />
      {kept.length === 0 ? (
        <p class="muted">None is kept. A snapshot outlives a reset.</p>
      ) : (
        <ul class="rows">
          {kept.map(snapshot => (
            <li key={snapshot.name}>
              <bdi class="name">{snapshot.name}</bdi>
              <span class="muted">
                version {snapshot.version}, <Instant at={snapshot.at} withDay />
              </span>
              <span class="spacer" />
              <button
                type="button"
                disabled={isBusy.value}
                onClick={() => run(() => client.in(sandbox).restore(snapshot.name))}
              >
                Restore
              </button>
              <button
                type="button"
                class="quiet"
                disabled={isBusy.value}
                onClick={() => run(() => client.in(sandbox).forget(snapshot.name))}
              >
                Delete
              </button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
