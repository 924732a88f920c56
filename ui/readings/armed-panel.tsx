// The faults or the stubs of the sandbox with their counts, and a form that adds one.
import { signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { ArmedFault, ArmedStub, JsonObject } from '../client/wire.js';
import { now } from '../live/clock.js';
import { client, entries, settingsChanges } from '../live/sandbox.js';
import { lookAgain, waiting } from '../live/waiting.js';
import { announce } from '../parts/announcer.js';
import { Button } from '../parts/button.js';
import { isJsonObject } from '../parts/changes/change.js';
import { Dialog } from '../parts/dialog.js';
import { EmptyState } from '../parts/empty-state.js';
import { FormOrJson } from '../parts/form/form-or-json.js';
import { parseJson } from '../parts/json/json-text.js';
import { prettyJson } from '../parts/json/json-view.js';
import { ProblemNote } from '../parts/problem-note.js';
import { useAction, useResource } from '../parts/resource.js';
import { undoable } from '../parts/undo.js';
import { faultText, isUsedUp, stubText } from './fault-text.js';

type Kind = 'fault' | 'stub';

/** The fault or stub that is being written. */
export const writing = signal<{ readonly kind: Kind; readonly value: JsonObject } | undefined>(undefined);

const kinds = {
  fault: {
    title: 'Faults',
    name: 'Fault',
    first: { operation: 'groups.add-users', times: 1, effect: { status: 503, retryAfter: 2 } },
    none: 'No faults.',
    help: 'Add one to test how your client handles a broken response.',
  },
  stub: {
    title: 'Stubs',
    name: 'Stub',
    first: { path: '/rest/webhooks/1.0', method: 'GET', status: 200, body: [] },
    none: 'No stubs.',
    help: 'Add one to respond to requests that the fake does not model.',
  },
} as const;

export function ArmedPanel({ sandbox, kind }: { readonly sandbox: string; readonly kind: Kind }) {
  const { title, first, none, help } = kinds[kind];
  const inSandbox = client.in(sandbox);
  const latest = entries.value.findLast(entry => entry[kind] !== undefined)?.id;
  const read = useResource(
    (): Promise<readonly (ArmedFault | ArmedStub)[]> =>
      kind === 'fault' ? inSandbox.faults().then(({ faults }) => faults) : inSandbox.stubs().then(({ stubs }) => stubs),
    [sandbox, settingsChanges.value, latest],
  );
  const { error, isBusy, run } = useAction();
  const armed = read.value.value ?? [];
  const remove = (number: number | undefined, text: string) =>
    run(() => undoable(text, () => (kind === 'fault' ? inSandbox.disarm(number) : inSandbox.clearStubs(number))));
  const release = (hold: string) =>
    run(async () => {
      const { released } = await inSandbox.release(hold);
      lookAgain();
      announce(`Released ${released}`);
    });
  return (
    <section class="pane card" aria-label={title}>
      <h2>
        {title}
        <span class="actions">
          {armed.length > 0 && (
            <Button class="quiet" isBusy={isBusy.value} onClick={() => remove(undefined, `Removed all ${title}`)}>
              Remove all
            </Button>
          )}
          <Button onClick={() => (writing.value = { kind, value: first })}>Add a {kind}</Button>
        </span>
      </h2>
      {read.value.value === undefined && read.isLoading.value && <EmptyState isSmall isLoading title="Loading…" />}
      {read.value.value !== undefined && armed.length === 0 && (
        <EmptyState isSmall title={none}>
          {help}
        </EmptyState>
      )}
      <ul class="rows faults">
        {armed.map((one, i) => (
          <ArmedRow
            key={`${i}`}
            armed={one}
            text={'effect' in one ? faultText(one) : stubText(one)}
            isBusy={isBusy.value}
            onRelease={release}
            onRemove={() => remove(i + 1, `Removed ${kind} ${i + 1}`)}
          >
            {'effect' in one && one.effect.hold !== undefined && <Waiting hold={one.effect.hold} />}
          </ArmedRow>
        ))}
      </ul>
      <ProblemNote error={error.value ?? read.error.value} />
      {writing.value?.kind === kind && <Writing sandbox={sandbox} kind={kind} value={writing.value.value} />}
    </section>
  );
}

/** The requests that wait for a hold, by number and caller. */
function Waiting({ hold }: { readonly hold: string }): ComponentChildren {
  const ids = [...waiting.value].filter(([, name]) => name === hold).map(([id]) => id);
  if (ids.length === 0) return null;
  const who = (id: number) => entries.value.find(entry => entry.id === id)?.caller ?? 'anyone';
  return <span class="badge fault">waiting: {ids.map(id => `#${id} ${who(id)}`).join(', ')}</span>;
}

interface WritingProps {
  readonly sandbox: string;
  readonly kind: Kind;
  readonly value: JsonObject;
}

function Writing({ sandbox, kind, value }: WritingProps) {
  const text = useSignal(prettyJson(value));
  const { error, isBusy, run } = useAction();
  const close = () => (writing.value = undefined);
  const add = () =>
    run(async () => {
      const one = parseJson(text.peek());
      if (!isJsonObject(one)) throw new Error(`A ${kind} is a JSON object.`);
      const inSandbox = client.in(sandbox);
      await undoable(`Added a ${kind}`, () => (kind === 'fault' ? inSandbox.addFault(one) : inSandbox.addStub(one)));
      close();
    });
  return (
    <Dialog title={`Add a ${kind}`} onClose={close}>
      <form
        onSubmit={event => {
          event.preventDefault();
          add();
        }}
      >
        <FormOrJson
          schemaOf={schemas => schemas[kinds[kind].name] ?? {}}
          label={kinds[kind].name}
          text={text.value}
          onInput={changed => (text.value = changed)}
          onSave={add}
        />
        <ProblemNote error={error.value} />
        <div class="actions">
          <Button type="submit" class="primary" isBusy={isBusy.value}>
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface ArmedRowProps {
  readonly armed: ArmedFault | ArmedStub;
  readonly text: string;
  readonly isBusy: boolean;
  readonly onRemove: () => void;
  readonly onRelease: (hold: string) => void;
  readonly children?: ComponentChildren;
}

function ArmedRow({ armed, text, isBusy, onRemove, onRelease, children }: ArmedRowProps) {
  const { matched, fired } = armed;
  const isFault = 'effect' in armed;
  const hold = isFault ? armed.effect.hold : undefined;
  const isOver = isUsedUp(armed, now.value);
  return (
    <li class={`armed ${isOver ? 'is-used-up' : ''}`}>
      <bdi class="sentence">{text}</bdi>
      <span class={`badge ${isFault && fired > 0 && !isOver ? 'fault' : 'same'}`}>
        {isOver && 'used up, '}
        {isFault ? 'affected' : 'answered'} {fired} of {matched}
      </span>
      {children}
      {hold !== undefined && (
        <Button class="quiet" isOff={isBusy} onClick={() => onRelease(hold)} aria-label={`Release ${hold}`}>
          Release
        </Button>
      )}
      <Button class="quiet" isOff={isBusy} onClick={onRemove} aria-label={`Remove: ${text}`}>
        Remove
      </Button>
    </li>
  );
}
