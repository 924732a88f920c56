// One record: read whole, changed as JSON, sent as the difference to the record as it was opened.
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { CollectionName, Json, JsonObject } from '../client/wire.js';
import { goTo, linkTo, pastQuery, route } from '../live/route.js';
import { client, markOf, marks, upheavals } from '../live/sandbox.js';
import { Button } from '../parts/button.js';
import { conflictsBetween, patchBetween } from '../parts/changes/change.js';
import { confirmed } from '../parts/confirm.js';
import { EmptyState } from '../parts/empty-state.js';
import { FormOrJson } from '../parts/form/form-or-json.js';
import { schemaOfRecords } from '../parts/form/schema.js';
import { parseJson } from '../parts/json/json-text.js';
import { JsonView, prettyJson } from '../parts/json/json-view.js';
import { ProblemNote } from '../parts/problem-note.js';
import { useAction, useResource } from '../parts/resource.js';
import { undoable } from '../parts/undo.js';
import { draftOf, drafts, keepDraft } from './drafts.js';
import { type RecordReference, removalOf } from './references.js';

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
    [sandbox, collection, recordKey, at, mark, upheavals.value],
  );
  const record = read.value.value?.records[0]?.record;
  const text = useMemo(() => JSON.stringify(record) ?? '', [record]);
  const hasDraft =
    read.value.value !== undefined && at === undefined && drafts.value.has(draftOf(sandbox, collection, recordKey));
  return (
    <Frame title={recordKey} collection={collection}>
      <ProblemNote error={read.error.value} />
      {read.value.value !== undefined && record === undefined && (
        <EmptyState isSmall title={`${recordKey} doesn't exist${at === undefined ? '' : ` at version ${at}`}.`} />
      )}
      {text.length > MAX_EDITED && <TooLong text={text} recordKey={recordKey} />}
      {text.length <= MAX_EDITED && (record !== undefined || hasDraft) && (
        <Editor {...{ collection, recordKey, record, isPast: at !== undefined }} />
      )}
    </Frame>
  );
}

/** Longer records are only shown: a field with so much text is slow. */
const MAX_EDITED = 200_000;
const MAX_SHOWN = 5_000;

function TooLong({ text, recordKey }: { readonly text: string; readonly recordKey: string }) {
  const { sandbox } = route.value;
  return (
    <>
      <EmptyState isSmall title={`${recordKey} has ${text.length.toLocaleString('en')} characters.`}>
        To edit it, send the changed fields to <code>PATCH /_fake/v1/sandboxes/{sandbox}/world</code>.
      </EmptyState>
      <JsonView text={`${text.slice(0, MAX_SHOWN)}…`} label="The beginning of the record" />
    </>
  );
}

interface EditorProps {
  readonly collection: CollectionName;
  readonly recordKey: string;
  readonly record: Json | undefined;
  readonly isPast: boolean;
}

function Editor({ collection, recordKey, record, isPast }: EditorProps) {
  const { sandbox } = route.value;
  const place = draftOf(sandbox, collection, recordKey);
  const draft = isPast ? undefined : drafts.value.get(place);
  const shown = record === undefined ? '' : prettyJson(record);
  const { error, isBusy, run } = useAction();
  /** What somebody else changed as well, when the draft was about to be saved. */
  const conflict = useSignal<Conflict | undefined>(undefined);
  const inSandbox = client.in(sandbox);
  const discard = () => {
    keepDraft(place, undefined);
    conflict.value = undefined;
  };
  const save = (isSure = false) =>
    run(async () => {
      const kept = drafts.peek().get(place);
      if (kept === undefined) return;
      const mine = parseJson(kept.text);
      const { records } = await inSandbox.part({ collection, keys: [recordKey], whole: true });
      const theirs = records[0]?.record;
      const fields = conflictsBetween(kept.base, theirs, mine);
      if (fields.length > 0 && !isSure) {
        conflict.value = { fields, theirs };
        return;
      }
      const patch = { [collection]: { [recordKey]: theirs === undefined ? mine : patchBetween(kept.base, mine) } };
      await undoable(`Saved ${recordKey}`, () => inSandbox.patch(patch));
      discard();
    });
  const remove = () =>
    run(async () => {
      const { patch, references } = await removalOf(sandbox, collection, recordKey);
      if (!(await confirmed(questionOf(collection, recordKey, references)))) return;
      await undoable(`Deleted ${recordKey}`, () => inSandbox.patch(patch));
      discard();
      goTo({ view: 'world', rest: [collection] });
    });
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        save();
      }}
    >
      <FormOrJson
        schemaOf={schemas => schemaOfRecords(schemas, collection)}
        label={recordKey}
        text={draft?.text ?? shown}
        isReadOnly={isPast}
        onInput={text => {
          const base = draft === undefined ? record : draft.base;
          keepDraft(place, text === shown && isUnchanged(base, record) ? undefined : { text, base });
        }}
        onSave={() => save()}
      />
      {draft !== undefined && conflict.value === undefined && !isUnchanged(draft.base, record) && (
        <p class="hints" role="status">
          Someone else changed this record meanwhile. Save changes only the fields that you changed.
        </p>
      )}
      {conflict.value !== undefined && (
        <ConflictNote conflict={conflict.value} onOverwrite={() => save(true)} onDiscard={discard} />
      )}
      <ProblemNote error={error.value} />
      {isPast ? (
        <p class="muted">An earlier version can't be edited. Rewind to it, or fork it.</p>
      ) : (
        <div class="actions">
          <Button type="submit" class="primary" isBusy={isBusy.value} isOff={draft === undefined}>
            Save
          </Button>
          <Button isOff={draft === undefined} onClick={discard}>
            Discard changes
          </Button>
          {collection !== 'favourites' && (
            <Button class="danger" isOff={isBusy.value || record === undefined} onClick={remove}>
              Delete
            </Button>
          )}
        </div>
      )}
    </form>
  );
}

/** What is deleted, and what refers to it. */
function questionOf(collection: CollectionName, key: string, references: readonly RecordReference[]) {
  const kept = references.filter(({ isRequired }) => isRequired);
  const count = references.length === 1 ? 'One reference' : `${references.length} references`;
  const text = (
    <>
      <p>
        Delete <bdi>{key}</bdi> from {collection}? This can be undone.
      </p>
      {references.length > 0 && (
        <>
          <p>
            {kept.length === 0
              ? `${count} to it will be removed:`
              : 'Choose another owner or space where one is required, then delete it:'}
          </p>
          <ul class="rows">
            {references.map(({ collection: where, key: other, field, isRequired }) => (
              <li key={`${where}/${other}/${field}`}>
                <a href={linkTo({ view: 'world', rest: [where, other] })}>
                  {where} <bdi>{other}</bdi>
                </a>
                <span class="muted">
                  {field.replaceAll('/', ' ')} {isRequired && '(required)'}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
  const action = references.length === 0 ? 'Delete' : 'Remove references and delete';
  return { title: 'Delete record', text, ...(kept.length === 0 && { action }) };
}

const isUnchanged = (base: Json | undefined, record: Json | undefined) =>
  JSON.stringify(base) === JSON.stringify(record);

interface Conflict {
  readonly fields: readonly string[];
  readonly theirs: Json | undefined;
}

interface ConflictProps {
  readonly conflict: Conflict;
  readonly onOverwrite: () => void;
  readonly onDiscard: () => void;
}

function ConflictNote({ conflict: { fields, theirs }, onOverwrite, onDiscard }: ConflictProps) {
  const names = fields.map(pointer => pointer.slice(1)).filter(name => name !== '');
  return (
    <div class="problem" role="alert">
      <strong>{theirs === undefined ? 'Deleted by someone else' : 'Changed by someone else'}</strong>
      {theirs !== undefined && (
        <>
          <p>
            {names.length === 0 ? 'The record now is:' : `You both changed ${names.join(', ')}. The record now is:`}
          </p>
          <pre>{prettyJson(theirs)}</pre>
        </>
      )}
      <div class="actions">
        <Button onClick={onOverwrite}>
          {theirs === undefined ? 'Create it again with my text' : 'Save mine, replacing theirs'}
        </Button>
        <Button onClick={onDiscard}>
          {theirs === undefined ? 'Leave it deleted' : 'Keep theirs, discarding mine'}
        </Button>
      </div>
    </div>
  );
}

const examples: Readonly<Record<CollectionName, JsonObject | readonly Json[]>> = {
  users: { displayName: 'Bob', admin: false },
  groups: [],
  spaces: { name: 'New Space', admins: [], sidebar: [] },
  pages: { space: '', title: 'New page', body: '<p></p>' },
  filters: { name: 'New filter', owner: '', sharedWith: 'everyone' },
  dashboards: { name: 'New dashboard', owner: '', sharedWith: 'everyone' },
  favourites: { filters: [], dashboards: [] },
};

const isList = (example: object): example is readonly Json[] => Array.isArray(example);

/** The example of a collection, with names of the sandbox's world. */
function exampleOf(collection: CollectionName, { users, spaces }: Partial<Record<'users' | 'spaces', string>>): string {
  const example = examples[collection];
  if (isList(example)) return prettyJson(example);
  return prettyJson({
    ...example,
    ...('owner' in example && { owner: users ?? '' }),
    ...('space' in example && { space: spaces ?? '' }),
  });
}

export function NewRecord({ collection }: { readonly collection: CollectionName }) {
  const { sandbox } = route.value;
  const place = draftOf(sandbox, collection);
  const names = useResource(async () => {
    const first = async (of: CollectionName) => {
      const { records } = await client.in(sandbox).part({ collection: of, limit: 1 });
      return records[0]?.key ?? '';
    };
    return { users: await first('users'), spaces: await first('spaces') };
  }, [sandbox]).value.value;
  const { name = '', text = exampleOf(collection, names ?? {}) } = drafts.value.get(place) ?? {};
  const taken = useSignal('');
  const form = useRef<HTMLFormElement>(null);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const { error, isBusy, run } = useAction();
  const add = () =>
    run(async () => {
      const record = parseJson(text);
      const { records } = await client.in(sandbox).part({ collection, keys: [name] });
      taken.value = records.length > 0 ? name : '';
      if (records.length > 0) return;
      await undoable(`Added ${name}`, () => client.in(sandbox).patch({ [collection]: { [name]: record } }));
      keepDraft(place, undefined);
      goTo({ view: 'world', rest: [collection, name] }, { instead: true });
    });
  return (
    <Frame title={`Add to ${collection}`} collection={collection}>
      <form
        ref={form}
        onSubmit={event => {
          event.preventDefault();
          add();
        }}
      >
        <label class="field">
          <span>{collection === 'spaces' ? 'Key' : /pages|filters|dashboards/.test(collection) ? 'Id' : 'Name'}</span>
          <input
            required
            ref={first}
            value={name}
            onInput={event => keepDraft(place, { name: event.currentTarget.value, text })}
          />
        </label>
        <FormOrJson
          schemaOf={schemas => schemaOfRecords(schemas, collection)}
          label={name === '' ? 'New record' : name}
          text={text}
          onInput={changed => keepDraft(place, { name, text: changed })}
          onSave={() => form.current?.requestSubmit()}
        />
        {taken.value !== '' && taken.value === name && (
          <div class="problem" role="alert">
            <strong>
              <bdi>{name}</bdi> exists already
            </strong>
            <p>
              Use another name, or <a href={linkTo({ view: 'world', rest: [collection, name] })}>edit the record</a>.
            </p>
          </div>
        )}
        <ProblemNote error={error.value} />
        <div class="actions">
          <Button type="submit" class="primary" isBusy={isBusy.value}>
            Add
          </Button>
          <Button isOff={!drafts.value.has(place)} onClick={() => keepDraft(place, undefined)}>
            Discard changes
          </Button>
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
  const back = linkTo({ view: 'world', rest: [collection], query: pastQuery() });
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
