// Snapshots: take one, restore one.
import { useSignal } from '@preact/signals';
import { client, settingsChanges } from '../live/sandbox.js';
import { Button } from '../parts/button.js';
import { confirmed } from '../parts/confirm.js';
import { Dialog } from '../parts/dialog.js';
import { EmptyState } from '../parts/empty-state.js';
import { Field } from '../parts/field.js';
import { Instant } from '../parts/instant.js';
import { ProblemNote } from '../parts/problem-note.js';
import { useAction, useResource } from '../parts/resource.js';
import { undoable } from '../parts/undo.js';

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
  const forget = async (snapshot: string) => {
    const text = `Delete the snapshot ${snapshot}? This can't be undone.`;
    if (await confirmed({ title: 'Delete snapshot', text, action: 'Delete' }))
      run(() => client.in(sandbox).forget(snapshot));
  };
  return (
    <Dialog title="Snapshots" onClose={onClose}>
      <form class="inline" onSubmit={keep}>
        <Field label="Name" of={name} placeholder="optional" pattern="[A-Za-z0-9._\-]{1,64}" />
        <Button type="submit" class="primary" isOff={isBusy.value}>
          Take snapshot
        </Button>
      </form>
      <ProblemNote error={error.value ?? read.error.value} />
      {kept.length === 0 ? (
        <EmptyState isSmall title="No snapshots yet.">
          They survive a reset.
        </EmptyState>
      ) : (
        <ul class="rows">
          {kept.map(snapshot => (
            <li key={snapshot.name}>
              <bdi class="name">{snapshot.name}</bdi>
              <span class="muted">
                version {snapshot.version}, <Instant at={snapshot.at} withDay />
              </span>
              <span class="spacer" />
              <Button
                isOff={isBusy.value}
                onClick={() =>
                  run(() => undoable(`Restored ${snapshot.name}`, () => client.in(sandbox).restore(snapshot.name)))
                }
              >
                Restore
              </Button>
              <Button class="quiet" isOff={isBusy.value} onClick={() => void forget(snapshot.name)}>
                Delete
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
