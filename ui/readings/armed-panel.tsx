// The faults or the stubs of the sandbox with their counts, and a form that adds one.
import { signal, useSignal } from '@preact/signals';
import type { ArmedFault, ArmedStub, JsonObject } from '../client/wire.js';
import { now } from '../live/clock.js';
import { entries, here, settingsChanges } from '../live/sandbox.js';
import { lookAgain, waiting } from '../live/waiting.js';
import { announce } from '../parts/announcer.js';
import { Button } from '../parts/button.js';
import { isJsonObject } from '../parts/changes/change.js';
import { Dialog } from '../parts/dialog.js';
import { Loaded } from '../parts/empty-state.js';
import { Form } from '../parts/form/form.js';
import { FormOrJson } from '../parts/form/form-or-json.js';
import { parseJson, prettyJson } from '../parts/json/json-text.js';
import { ProblemNote } from '../parts/problem-note.js';
import { useAction, useResource } from '../parts/resource.js';
import { undoable } from '../parts/undo.js';
import { armedText, isUsedUp } from './fault-text.js';

type Kind = 'fault' | 'stub';

/** The fault or stub that is being written. */
export const writing = signal<{ readonly kind: Kind; readonly value: JsonObject } | undefined>(undefined);

const kinds = {
  fault: {
    title: 'Faults',
    name: 'Fault',
    first: { operation: 'groups.add-users', times: 1, effect: { status: 503, retryAfter: 2 } },
    none: 'No faults. Add one to test how your client handles a broken response.',
  },
  stub: {
    title: 'Stubs',
    name: 'Stub',
    first: { path: '/rest/webhooks/1.0', method: 'GET', status: 200, body: [] },
    none: 'No stubs. Add one to respond to requests that the fake does not model.',
  },
} as const;

export function ArmedPanel({ kind }: { readonly kind: Kind }) {
  const { title, first, none } = kinds[kind];
  const inSandbox = here();
  const latest = entries.value.findLast(entry => entry[kind] !== undefined)?.id;
  const read = useResource(
    async (): Promise<ReadonlyArray<ArmedFault | ArmedStub>> =>
      kind === 'fault' ? (await inSandbox.faults()).faults : (await inSandbox.stubs()).stubs,
    [],
    [settingsChanges.value, latest],
  );
  const { error, isBusy, run } = useAction();
  const remove = (text: string, number?: number) => run(() => undoable(text, () => inSandbox.disarm(kind, number)));
  return (
    <section class="pane card" aria-label={title}>
      <h2>
        {title}
        <span class="actions">
          {(read.value ?? []).length > 0 && (
            <Button class="quiet" isBusy={isBusy} onClick={() => remove(`Removed all ${title}`)}>
              Remove all
            </Button>
          )}
          <Button onClick={() => (writing.value = { kind, value: first })}>Add a {kind}</Button>
        </span>
      </h2>
      <Loaded of={read}>
        {armed => (
          <ul class="rows faults">
            {armed.length === 0 && <li class="muted">{none}</li>}
            {armed.map((one, i) => (
              <ArmedRow key={`${i}`} armed={one} onRemove={() => remove(`Removed ${kind} ${i + 1}`, i + 1)} />
            ))}
          </ul>
        )}
      </Loaded>
      <ProblemNote error={error} />
      {writing.value?.kind === kind && <Writing kind={kind} value={writing.value.value} />}
    </section>
  );
}

/** The requests that wait for a hold, by number and caller, and a button that lets them go. */
function Hold({ name }: { readonly name: string }) {
  const inSandbox = here();
  const { error, isBusy, run } = useAction();
  const ids = [...waiting.value].filter(([, hold]) => hold === name).map(([id]) => id);
  const who = (id: number) => entries.value.find(entry => entry.id === id)?.caller ?? 'anyone';
  const release = async () => {
    const { released } = await inSandbox.release(name);
    lookAgain();
    announce(`Released ${released}`);
  };
  return (
    <>
      {ids.length > 0 && <span class="badge fault">waiting: {ids.map(id => `#${id} ${who(id)}`).join(', ')}</span>}
      <Button class="quiet" isBusy={isBusy} onClick={() => run(release)} aria-label={`Release ${name}`}>
        Release
      </Button>
      <ProblemNote error={error} />
    </>
  );
}

function Writing({ kind, value }: { readonly kind: Kind; readonly value: JsonObject }) {
  const text = useSignal(prettyJson(value));
  const inSandbox = here();
  const { name } = kinds[kind];
  const close = () => (writing.value = undefined);
  const add = async () => {
    const one = parseJson(text.peek());
    if (!isJsonObject(one)) throw new Error(`A ${kind} is a JSON object.`);
    await undoable(`Added a ${kind}`, () => inSandbox.arm(kind, one));
    close();
  };
  return (
    <Dialog title={`Add a ${kind}`} onClose={close}>
      <Form action="Add" onSubmit={add}>
        <FormOrJson
          schemaOf={schemas => schemas[name] ?? {}}
          label={name}
          text={text.value}
          onInput={changed => (text.value = changed)}
        />
      </Form>
    </Dialog>
  );
}

function ArmedRow({ armed, onRemove }: { readonly armed: ArmedFault | ArmedStub; readonly onRemove: () => void }) {
  const { matched, fired } = armed;
  const isFault = 'effect' in armed;
  const isOver = isUsedUp(armed, now.value);
  const text = armedText(armed);
  return (
    <li class={`armed ${isOver ? 'is-used-up' : ''}`}>
      <bdi class="sentence">{text}</bdi>
      <span class={`badge ${isFault && fired > 0 && !isOver ? 'fault' : 'same'}`}>
        {isOver && 'used up, '}
        {isFault ? 'affected' : 'answered'} {fired} of {matched}
      </span>
      {isFault && armed.effect.hold !== undefined && <Hold name={armed.effect.hold} />}
      <Button class="quiet" onClick={onRemove} aria-label={`Remove: ${text}`}>
        Remove
      </Button>
    </li>
  );
}
