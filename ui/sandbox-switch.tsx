// Chooses the shown sandbox, or creates one.
import { useSignal } from '@preact/signals';
import type { Description } from './client/wire.js';
import { goTo, route } from './live/route.js';
import { client } from './live/sandbox.js';
import { Button } from './parts/button.js';
import { confirmed } from './parts/confirm.js';
import { Dialog } from './parts/dialog.js';
import { Choice, Field, Search } from './parts/field.js';
import { ProblemNote } from './parts/problem-note.js';
import { useAction, useResource } from './parts/resource.js';

const OFTEN_MS = 2_000;
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
  const count = useSignal(0);
  const wanted = useSignal('');
  const read = useResource(async () => {
    const found = await client.sandboxes();
    setTimeout(() => (count.value += 1), OFTEN_MS);
    return found.sandboxes;
  }, [count.value]);
  const { error, isBusy, run } = useAction();
  const all = (read.value.value ?? []).filter(({ name }) => name.includes(wanted.value)).toReversed();
  const show = (name: string) => {
    onClose();
    goTo({ sandbox: name, rest: [] });
  };
  const drop = async (name: string) => {
    const text = `Delete ${name}? Its world, requests and snapshots are deleted too. This can't be undone.`;
    if (!(await confirmed({ title: 'Delete sandbox', text, action: 'Delete' }))) return;
    run(async () => {
      await client.in(name).drop();
      count.value += 1;
    });
  };
  return (
    <Dialog title="Sandboxes" onClose={onClose} isWide>
      <Search label="Find a sandbox" value={wanted.value} onInput={text => (wanted.value = text)} />
      <ul class="rows sandboxes">
        {all.slice(0, MAX_LISTED).map(sandbox => (
          <SandboxRow
            key={sandbox.name}
            sandbox={sandbox}
            onShow={() => show(sandbox.name)}
            onDrop={() => void drop(sandbox.name)}
            isBusy={isBusy.value}
          />
        ))}
        {all.length > MAX_LISTED && <li class="muted">and {all.length - MAX_LISTED} more: search by name</li>}
      </ul>
      <ProblemNote error={error.value ?? read.error.value} />
      <NewSandbox onMade={show} />
    </Dialog>
  );
}

interface RowProps {
  readonly sandbox: Description;
  readonly isBusy: boolean;
  readonly onShow: () => void;
  readonly onDrop: () => void;
}

function SandboxRow({ sandbox: { name, scenario, version, journal, idle }, isBusy, onShow, onDrop }: RowProps) {
  return (
    <li class={name === route.value.sandbox ? 'is-own' : ''}>
      <button type="button" class="link name" onClick={onShow}>
        <bdi>{name}</bdi>
      </button>
      <span class="muted">
        {scenario} · version {version} · {journal.entries} {journal.entries === 1 ? 'request' : 'requests'} ·{' '}
        {idleText(idle)}
      </span>
      <span class="spacer" />
      <Button class="quiet" isOff={isBusy} onClick={onDrop} aria-label={`Delete ${name}`}>
        Delete
      </Button>
    </li>
  );
}

function idleText(seconds: number): string {
  if (seconds < 10) return 'in use';
  if (seconds < 120) return `idle for ${Math.round(seconds)} s`;
  return `idle for ${Math.round(seconds / 60)} min`;
}

export function NewSandbox({
  onMade,
  name: given = '',
}: {
  readonly onMade: (name: string) => void;
  readonly name?: string;
}) {
  const name = useSignal(given);
  const scenario = useSignal('');
  const scenarios = useResource(client.scenarios, []);
  const { error, isBusy, run } = useAction();
  const make = (event: Event) => {
    event.preventDefault();
    run(async () => {
      await client.create({ name: name.peek(), ...(scenario.peek() !== '' && { scenario: scenario.peek() }) });
      onMade(name.peek());
    });
  };
  return (
    <form class="inline" onSubmit={make}>
      <Field label="New sandbox" of={name} required placeholder="test-42" pattern="[A-Za-z0-9._\-]{1,64}" />
      <Choice
        label="Scenario"
        value={scenario.value}
        options={[
          ['', 'server default'],
          ...(scenarios.value.value?.scenarios ?? []).map(({ name: id }) => [id, id] as const),
        ]}
        onChange={id => (scenario.value = id)}
      />
      <Button type="submit" class="primary" isOff={isBusy.value}>
        Create
      </Button>
      <ProblemNote error={error.value} />
    </form>
  );
}
