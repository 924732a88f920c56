// Chooses the shown sandbox, or creates one.
import { useSignal } from '@preact/signals';
import type { Description } from './client/wire.js';
import { goTo, route } from './live/route.js';
import { client } from './live/sandbox.js';
import { Button } from './parts/button.js';
import { confirmed } from './parts/confirm.js';
import { Dialog } from './parts/dialog.js';
import { Loaded } from './parts/empty-state.js';
import { bound, Choice, Field, SANDBOX_NAME, Search } from './parts/field.js';
import { Form } from './parts/form/form.js';
import { ProblemNote } from './parts/problem-note.js';
import { useAction, useResource } from './parts/resource.js';

const MAX_LISTED = 200;

export function SandboxSwitch() {
  const isOpen = useSignal(false);
  return (
    <>
      <button type="button" class="sandbox-switch" aria-haspopup="dialog" onClick={() => (isOpen.value = true)}>
        <span class="sr-only">Sandbox </span>
        <bdi title={route.value.sandbox}>{route.value.sandbox}</bdi>
        <span aria-hidden="true" class="caret" />
      </button>
      {isOpen.value && <Sandboxes onClose={() => (isOpen.value = false)} />}
    </>
  );
}

function Sandboxes({ onClose }: { readonly onClose: () => void }) {
  const deleted = useSignal(0);
  const wanted = useSignal('');
  const read = useResource(client.sandboxes, [], [deleted.value]);
  const { error, isBusy, run } = useAction();
  const show = (name: string) => {
    onClose();
    goTo({ sandbox: name, rest: [] });
  };
  const drop = async (name: string) => {
    const text = `Delete ${name}? Its world, requests and snapshots are deleted too. This can't be undone.`;
    if (!(await confirmed({ title: 'Delete sandbox', text, action: 'Delete' }))) return;
    run(async () => {
      await client.in(name).drop();
      deleted.value += 1;
    });
  };
  const row = ({ name, scenario, version, journal, idle }: Description) => (
    <li key={name} class={name === route.value.sandbox ? 'is-own' : ''}>
      <button type="button" class="link name" onClick={() => show(name)}>
        <bdi>{name}</bdi>
      </button>
      <span class="muted">
        {scenario} · version {version} · {journal.entries} {journal.entries === 1 ? 'request' : 'requests'} ·{' '}
        {idleText(idle)}
      </span>
      <span class="spacer" />
      <Button class="quiet" isOff={isBusy} onClick={() => void drop(name)} aria-label={`Delete ${name}`}>
        Delete
      </Button>
    </li>
  );
  return (
    <Dialog title="Sandboxes" onClose={onClose} isWide>
      <Search label="Find a sandbox" {...bound(wanted)} />
      <Loaded of={read}>
        {({ sandboxes }) => {
          const all = sandboxes.filter(({ name }) => name.includes(wanted.value)).toReversed();
          return (
            <ul class="rows sandboxes">
              {all.slice(0, MAX_LISTED).map(row)}
              {all.length > MAX_LISTED && <li class="muted">and {all.length - MAX_LISTED} more: search by name</li>}
            </ul>
          );
        }}
      </Loaded>
      <ProblemNote error={error} />
      <NewSandbox onMade={show} />
    </Dialog>
  );
}

function idleText(seconds: number): string {
  if (seconds < 10) return 'in use';
  if (seconds < 120) return `idle for ${Math.round(seconds)} s`;
  return `idle for ${Math.round(seconds / 60)} min`;
}

interface NewProps {
  readonly onMade: (name: string) => void;
  readonly name?: string;
}

export function NewSandbox({ onMade, name: given = '' }: NewProps) {
  const name = useSignal(given);
  const scenario = useSignal('');
  const scenarios = useResource(client.scenarios).value?.scenarios ?? [];
  const make = async () => {
    await client.create({ name: name.peek(), ...(scenario.peek() !== '' && { scenario: scenario.peek() }) });
    onMade(name.peek());
  };
  return (
    <Form action="Create" onSubmit={make} isInline>
      <Field label="New sandbox" {...bound(name)} required placeholder="test-42" pattern={SANDBOX_NAME} />
      <Choice
        label="Scenario"
        value={scenario.value}
        options={[['', 'server default'], ...scenarios.map(({ name: id }) => [id, id] as const)]}
        onChange={id => (scenario.value = id)}
      />
    </Form>
  );
}
