// One record: read whole, changed as JSON, sent as a merge-patch.
import { useSignal } from '@preact/signals';
import type { CollectionName, Json, JsonObject } from '../client/wire.js';
import { goTo, linkTo, route } from '../live/route.js';
import { client, markOf, marks } from '../live/sandbox.js';
import { announce } from '../parts/announcer.js';
import { isJsonObject } from '../parts/change.js';
import { prettyJson } from '../parts/json-view.js';
import { ProblemNote } from '../parts/problem-note.js';
import { useAction, useResource } from '../parts/resource.js';

interface Props {
  readonly collection: CollectionName;
  readonly recordKey: string;
  readonly at: number | undefined;
}

export function RecordEditor({ collection, recordKey, at }: Props) {
  const { sandbox } = route.value;
  const mark = at === undefined ? marks.value.get(markOf(collection, recordKey)) : undefined;
  const read = useResource(
    () => client.in(sandbox).part({ collection, keys: [recordKey], whole: true, at }),
    [sandbox, collection, recordKey, at, mark],
  );
  const record = read.value.value?.records[0]?.record;
  return (
    <Frame title={recordKey} collection={collection}>
      <ProblemNote error={read.error.value} />
      {read.value.value !== undefined && record === undefined && <p class="muted">There is no such record.</p>}
      {record !== undefined && <Editor {...{ collection, recordKey, record, isPast: at !== undefined }} />}
    </Frame>
  );
}

interface EditorProps {
  readonly collection: CollectionName;
  readonly recordKey: string;
  readonly record: Json;
  readonly isPast: boolean;
}

function Editor({ collection, recordKey, record, isPast }: EditorProps) {
  const { sandbox } = route.value;
  /** Absent: nothing has been changed here, and the record is shown as it is. */
  const draft = useSignal<string | undefined>(undefined);
  const { error, isBusy, run } = useAction();
  const send = (part: Json) => client.in(sandbox).patch({ [collection]: { [recordKey]: part } });
  const save = () =>
    run(async () => {
      await send(patchBetween(record, JSON.parse(draft.peek() ?? '') as Json));
      draft.value = undefined;
      announce('Saved');
    });
  const remove = () =>
    run(async () => {
      await send(null);
      goTo({ view: 'world', rest: [collection] });
    });
  return (
    <>
      <textarea
        class="editor"
        aria-label={`${recordKey} as JSON`}
        spellcheck={false}
        readOnly={isPast}
        rows={Math.min(24, prettyJson(record).split('\n').length + 2)}
        value={draft.value ?? prettyJson(record)}
        onInput={event => {
          draft.value = event.currentTarget.value;
        }}
        onKeyDown={event => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
        }}
      />
      <ProblemNote error={error.value} />
      {isPast ? (
        <p class="muted">This is an earlier version: rewind or fork to change it.</p>
      ) : (
        <div class="actions">
          <button type="button" class="primary" disabled={draft.value === undefined || isBusy.value} onClick={save}>
            Save
          </button>
          {draft.value !== undefined && (
            <button type="button" onClick={() => (draft.value = undefined)}>
              Undo
            </button>
          )}
          {collection !== 'favourites' && (
            <button type="button" class="danger" disabled={isBusy.value} onClick={remove}>
              Delete
            </button>
          )}
        </div>
      )}
    </>
  );
}

const examples: Readonly<Record<CollectionName, JsonObject | readonly Json[]>> = {
  users: { displayName: 'Bob', admin: false },
  groups: [],
  spaces: { name: 'New Space', admins: [], sidebar: [] },
  pages: { space: 'ds', title: 'New page', body: '<p></p>' },
  filters: { name: 'New filter', owner: 'admin', sharedWith: 'everyone' },
  dashboards: { name: 'New dashboard', owner: 'admin', sharedWith: 'everyone' },
  favourites: { filters: [], dashboards: [] },
};

export function NewRecord({ collection }: { readonly collection: CollectionName }) {
  const { sandbox } = route.value;
  const key = useSignal('');
  const draft = useSignal(prettyJson(examples[collection]));
  const { error, isBusy, run } = useAction();
  const add = (event: Event) => {
    event.preventDefault();
    run(async () => {
      await client.in(sandbox).patch({ [collection]: { [key.peek()]: JSON.parse(draft.peek()) as Json } });
      goTo({ view: 'world', rest: [collection, key.peek()] }, { instead: true });
    });
  };
  return (
    <Frame title={`Add to ${collection}`} collection={collection}>
      <form onSubmit={add}>
        <label class="field">
          <span>{collection === 'spaces' ? 'Key' : /pages|filters|dashboards/.test(collection) ? 'Id' : 'Name'}</span>
          <input required value={key.value} onInput={event => (key.value = event.currentTarget.value)} />
        </label>
        <textarea
          class="editor"
          aria-label="The record as JSON"
          rows={8}
          spellcheck={false}
          value={draft.value}
          onInput={event => (draft.value = event.currentTarget.value)}
        />
        <ProblemNote error={error.value} />
        <div class="actions">
          <button type="submit" class="primary" disabled={isBusy.value}>
            Add
          </button>
        </div>
      </form>
    </Frame>
  );
}

interface FrameProps {
  readonly title: string;
  readonly collection: CollectionName;
  readonly children: preact.ComponentChildren;
}

function Frame({ title, collection, children }: FrameProps) {
  const back = linkTo({ view: 'world', rest: [collection] });
  return (
    <section class="pane detail" aria-label={title}>
      <header class="detail-head">
        <a class="quiet button back" href={back} aria-label="Back to the table">
          ←
        </a>
        <h2>
          <bdi>{title}</bdi>
        </h2>
        <a class="quiet button" href={back} aria-label="Close">
          ✕
        </a>
      </header>
      <div class="detail-body">{children}</div>
    </section>
  );
}

/** The merge-patch (RFC 7396) that makes one value out of another. */
export function patchBetween(before: Json, after: Json): Json {
  if (!isJsonObject(before) || !isJsonObject(after)) return after;
  const patch = new Map<string, Json>();
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) patch.set(name, null);
  for (const [name, value] of Object.entries(after)) {
    const old = before[name];
    if (old === undefined) patch.set(name, value);
    else if (JSON.stringify(old) !== JSON.stringify(value)) patch.set(name, patchBetween(old, value));
  }
  return Object.fromEntries(patch);
}
