// Snapshots: take one, restore one.
import { useSignal } from '@preact/signals';
import { here, settingsChanges } from '../live/sandbox.js';
import { Button } from '../parts/button.js';
import { confirmed } from '../parts/confirm.js';
import { Dialog } from '../parts/dialog.js';
import { EmptyState, Loaded } from '../parts/empty-state.js';
import { bound, Field, SANDBOX_NAME } from '../parts/field.js';
import { Form } from '../parts/form/form.js';
import { Instant } from '../parts/instant.js';
import { ProblemNote } from '../parts/problem-note.js';
import { useAction, useResource } from '../parts/resource.js';
import { undoable } from '../parts/undo.js';

export function Snapshots({ onClose }: { readonly onClose: () => void }) {
  const name = useSignal('');
  const { error, isBusy, run } = useAction();
  const inSandbox = here();
  const read = useResource(inSandbox.snapshots, [], [settingsChanges.value]);
  const keep = async () => {
    await inSandbox.keep(name.peek());
    name.value = '';
  };
  const forget = async (snapshot: string) => {
    const text = `Delete the snapshot ${snapshot}? This can't be undone.`;
    if (await confirmed({ title: 'Delete snapshot', text, action: 'Delete' })) run(() => inSandbox.forget(snapshot));
  };
  return (
    <Dialog title="Snapshots" onClose={onClose}>
      <Form action="Take snapshot" onSubmit={keep} isInline>
        <Field label="Name" {...bound(name)} placeholder="optional" pattern={SANDBOX_NAME} />
      </Form>
      <ProblemNote error={error} />
      <Loaded of={read}>
        {({ snapshots }) =>
          snapshots.length === 0 ? (
            <EmptyState isSmall title="No snapshots yet.">
              They survive a reset.
            </EmptyState>
          ) : (
            <ul class="rows">
              {snapshots.map(snapshot => (
                <li key={snapshot.name}>
                  <bdi class="name">{snapshot.name}</bdi>
                  <span class="muted">
                    version {snapshot.version}, <Instant at={snapshot.at} withDay />
                  </span>
                  <span class="spacer" />
                  <Button
                    isOff={isBusy}
                    onClick={() =>
                      run(() => undoable(`Restored ${snapshot.name}`, () => inSandbox.restore(snapshot.name)))
                    }
                  >
                    Restore
                  </Button>
                  <Button class="quiet" isOff={isBusy} onClick={() => void forget(snapshot.name)}>
                    Delete
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  );
}
