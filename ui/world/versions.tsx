// The versions of the sandbox: a slider through them, what changed between two, and the ways back: rewind, snapshots, fork, reset.
import { useSignal } from '@preact/signals';
import type { Happened } from '../client/wire.js';
import { goTo, pastQuery, route } from '../live/route.js';
import { description, here, version } from '../live/sandbox.js';
import { Button } from '../parts/button.js';
import { ChangesView, MAX_RECORDS } from '../parts/changes/changes-view.js';
import { confirmed } from '../parts/confirm.js';
import { Dialog } from '../parts/dialog.js';
import { Loaded } from '../parts/empty-state.js';
import { bound, Field, SANDBOX_NAME } from '../parts/field.js';
import { Form } from '../parts/form/form.js';
import { ProblemNote } from '../parts/problem-note.js';
import { useAction, useResource } from '../parts/resource.js';
import { undoable } from '../parts/undo.js';
import { Snapshots } from './snapshots.js';

interface Props {
  /** The shown version. Default: the present. */
  readonly at: number | undefined;
  /** The compared versions. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

const MAX_HAPPENED = 200;

export function Versions({ at, from, to }: Props) {
  const { sandbox, rest } = route.value;
  const inSandbox = here();
  const { error, isBusy, run } = useAction();
  const isForking = useSignal(false);
  const isAtSnapshots = useSignal(false);
  const oldest = description.value?.oldest ?? 0;
  const present = version.value;
  const isUnknown = at !== undefined && (at > present || at < oldest);
  const shown = Math.max(oldest, Math.min(at ?? present, present));
  const look = (to: number) =>
    goTo({ view: 'world', rest, query: to >= present ? {} : { at: String(to) } }, { instead: true });
  const compare = () =>
    goTo({ view: 'world', rest, query: { ...pastQuery(), from: String(shown), to: String(present) } });
  const rewind = () =>
    run(async () => {
      await undoable(`Rewound to version ${shown}`, () => inSandbox.rewind(shown));
      look(Number.MAX_SAFE_INTEGER);
    });
  const reset = async () => {
    const text = `Reset ${sandbox} to its scenario? World, readings, clock, faults and stubs begin again. This can be undone. All requests are deleted, which can't be undone. Snapshots stay.`;
    if (await confirmed({ title: 'Reset sandbox', text, action: 'Reset' }))
      run(() => undoable(`Reset ${sandbox}`, () => inSandbox.reset()));
  };
  return (
    <section class="versions" aria-label="Versions">
      <label class="slider">
        <span class="muted">Version</span>
        <input
          type="range"
          aria-label="Version"
          min={oldest}
          max={present}
          value={shown}
          disabled={oldest === present}
          aria-valuetext={at === undefined ? `${present}, the present` : `${at} of ${present}`}
          onInput={event => look(Number(event.currentTarget.value))}
        />
        <output class="num">{at === undefined ? present : `${at} of ${present}`}</output>
      </label>
      {at !== undefined && (
        <>
          <span class="badge past">past</span>
          <Button onClick={() => look(present)}>Back to the present</Button>
          <Button isOff={isUnknown} onClick={compare}>
            What changed since
          </Button>
          <Button isOff={isBusy || isUnknown} onClick={rewind}>
            Rewind to it
          </Button>
        </>
      )}
      <span class="spacer" />
      <button type="button" class="quiet" onClick={() => (isAtSnapshots.value = true)}>
        Snapshots
      </button>
      <button type="button" class="quiet" onClick={() => (isForking.value = true)}>
        Fork
      </button>
      <Button class="quiet" isOff={isBusy} onClick={() => void reset()}>
        Reset
      </Button>
      <ProblemNote error={error} />
      {isForking.value && <Fork at={at} onClose={() => (isForking.value = false)} />}
      {isAtSnapshots.value && <Snapshots onClose={() => (isAtSnapshots.value = false)} />}
      {from !== undefined && <Between from={from} to={to ?? present} />}
    </section>
  );
}

function Fork({ at, onClose }: { readonly at: number | undefined; readonly onClose: () => void }) {
  const { sandbox } = route.value;
  const inSandbox = here();
  const name = useSignal(`${sandbox}-2`);
  const fork = async () => {
    await inSandbox.fork(name.peek(), at);
    onClose();
    goTo({ sandbox: name.peek(), view: 'world' });
  };
  return (
    <Dialog title={`Fork ${sandbox}`} onClose={onClose}>
      <p>A copy of this sandbox{at === undefined ? '' : ` at version ${at}`}: world, readings, faults and clock.</p>
      <Form action="Fork" onSubmit={fork}>
        <Field label="Name" {...bound(name)} required pattern={SANDBOX_NAME} />
      </Form>
    </Dialog>
  );
}

function Between({ from, to }: { readonly from: number; readonly to: number }) {
  const inSandbox = here();
  const difference = useResource(() => inSandbox.diff(from, to, MAX_RECORDS), [from, to]);
  const close = () => goTo({ view: 'world', rest: route.peek().rest, query: pastQuery() });
  return (
    <Dialog title={`What changed from version ${from} to ${to}`} onClose={close} isWide>
      <Loaded of={difference}>
        {({ patch, more, changes }) => (
          <div class="between">
            <div>
              <h3>In the world</h3>
              <ChangesView at={from} patch={patch} more={more} none="The world is the same." />
            </div>
            <div>
              <h3>Step by step</h3>
              <ol class="happened">
                {changes.slice(0, MAX_HAPPENED).map((change, i) => (
                  <li key={`${change.version}-${i}`}>
                    <span class="num muted">{change.version}</span>
                    <span>
                      {textsOf(change)[0]} <bdi class="muted">{textsOf(change)[1]}</bdi>
                    </span>
                  </li>
                ))}
              </ol>
            </div>
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}

const MAX_REPORTED = 120;

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `group member added`, and the values of its fields. */
function textsOf({ type, version: _, ...fields }: Happened): readonly [what: string, values: string] {
  const values = Object.values(fields).map(textOf).filter(Boolean).join(' · ');
  return [
    type.replace('patched', 'changed').replaceAll('-', ' '),
    values.length > MAX_REPORTED ? `${values.slice(0, MAX_REPORTED)}…` : values,
  ];
}
