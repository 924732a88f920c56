// One record: read whole, changed in a form or as JSON, sent as the difference to the record as it was opened. Or a new one.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { CollectionName, Json } from '../client/wire.js';
import { goTo, linkTo, pastQuery, route } from '../live/route.js';
import { here, markOf, marks, upheavals } from '../live/sandbox.js';
import { Button } from '../parts/button.js';
import { conflictsBetween, isSame, patchBetween } from '../parts/changes/change.js';
import { confirmed } from '../parts/confirm.js';
import { Detail } from '../parts/detail.js';
import { EmptyState, Loaded } from '../parts/empty-state.js';
import { Field } from '../parts/field.js';
import { Form } from '../parts/form/form.js';
import { FormOrJson } from '../parts/form/form-or-json.js';
import { blankOf, readSchemas, schemaOfRecords } from '../parts/form/schema.js';
import { parseJson, prettyJson } from '../parts/json/json-text.js';
import { JsonView } from '../parts/json/json-view.js';
import { ProblemNote } from '../parts/problem-note.js';
import { useAction, useResource } from '../parts/resource.js';
import { undoable } from '../parts/undo.js';
import { draftOf, drafts, keepDraft } from './drafts.js';
import { type RecordReference, removalOf } from './references.js';

interface Props {
  readonly collection: CollectionName;
  /** Absent: a new record. */
  readonly recordKey: string | undefined;
  readonly at: number | undefined;
}

export function RecordEditor({ collection, recordKey, at }: Props) {
  const inSandbox = here();
  const mark = at === undefined ? marks.value.get(markOf(collection, recordKey ?? '')) : undefined;
  const read = useResource(
    async () => {
      const keys = recordKey === undefined ? [] : [recordKey];
      const { records } = await inSandbox.part({ collection, keys, whole: true, at });
      return { record: records[0]?.record, length: JSON.stringify(records[0]?.record ?? '').length };
    },
    [collection, recordKey, at],
    [mark, upheavals.value],
  );
  const title = recordKey ?? `Add to ${collection}`;
  const list = linkTo({ view: 'world', rest: [collection], query: pastQuery() });
  const isMissing = read.value !== undefined && recordKey !== undefined && read.value.record === undefined;
  const hasDraft = drafts.value.has(draftOf(route.value.sandbox, collection, recordKey));
  return (
    <Detail label={title} title={<bdi title={title}>{title}</bdi>} list={list}>
      {isMissing && (
        <EmptyState isSmall title={`${recordKey} doesn't exist${at === undefined ? '' : ` at version ${at}`}.`} />
      )}
      <Loaded of={read} title={`Loading ${title}…`}>
        {({ record, length }) => {
          if (length > MAX_EDITED)
            return (
              <>
                <EmptyState isSmall title={`${recordKey} has ${length.toLocaleString('en')} characters.`}>
                  To edit it, send the changed fields to <code>PATCH /_fake/v1/sandboxes/{inSandbox.name}/world</code>.
                </EmptyState>
                <JsonView text={`${JSON.stringify(record).slice(0, MAX_SHOWN)}…`} label="The beginning of the record" />
              </>
            );
          if (isMissing && (at !== undefined || !hasDraft)) return null;
          if (at === undefined) return <Editor {...{ collection, recordKey, record }} />;
          return (
            <>
              <JsonView text={prettyJson(record)} label={`${title} as JSON`} />
              <p class="muted">An earlier version can't be edited. Rewind to it, or fork it.</p>
            </>
          );
        }}
      </Loaded>
    </Detail>
  );
}

/** Longer records are only shown: a field with so much text is slow. */
const MAX_EDITED = 200_000;
const MAX_SHOWN = 5_000;

interface EditorProps {
  readonly collection: CollectionName;
  readonly recordKey: string | undefined;
  readonly record: Json | undefined;
}

function Editor({ collection, recordKey, record }: EditorProps) {
  const inSandbox = here();
  const place = draftOf(route.value.sandbox, collection, recordKey);
  const draft = drafts.value.get(place);
  const schemas = useResource(readSchemas).value;
  const isNew = recordKey === undefined;
  const unchanged = prettyJson(isNew ? schemas && blankOf(schemaOfRecords(schemas, collection)) : record);
  const { text = unchanged, name = recordKey ?? '' } = draft ?? {};
  const { error, isBusy, run } = useAction();
  /** What somebody else did to the record meanwhile, found when the draft was about to be saved. */
  const conflict = useSignal<Conflict | undefined>(undefined);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const discard = () => {
    keepDraft(place, undefined);
    conflict.value = undefined;
  };
  const save = async (isSure = false) => {
    const mine =
      isNew && draft?.text === undefined ? blankOf(schemaOfRecords(await readSchemas(), collection)) : parseJson(text);
    const base = draft?.base;
    const { records } = await inSandbox.part({ collection, keys: [name], whole: true });
    const theirs = records[0]?.record;
    const fields = conflictsBetween(base, theirs, mine);
    conflict.value = (fields.length > 0 || (isNew && theirs !== undefined)) && !isSure ? { fields, theirs } : undefined;
    if (conflict.value !== undefined) return;
    const patch = { [collection]: { [name]: theirs === undefined ? mine : patchBetween(base, mine) } };
    await undoable(`${isNew ? 'Added' : 'Saved'} ${name}`, () => inSandbox.patch(patch));
    discard();
    if (isNew) goTo({ view: 'world', rest: [collection, name] }, { instead: true });
  };
  const remove = () =>
    run(async () => {
      const { patch, references } = await removalOf(inSandbox, collection, name);
      if (!(await confirmed(questionOf(collection, name, references)))) return;
      await undoable(`Deleted ${name}`, () => inSandbox.patch(patch));
      discard();
      goTo({ view: 'world', rest: [collection] });
    });
  return (
    <Form
      action={isNew ? 'Add' : 'Save'}
      isOff={!isNew && draft === undefined}
      onSubmit={() => save()}
      others={
        <>
          <Button isOff={draft === undefined} onClick={discard}>
            Discard changes
          </Button>
          {!isNew && collection !== 'favourites' && (
            <Button class="danger" isOff={isBusy || record === undefined} onClick={remove}>
              Delete
            </Button>
          )}
        </>
      }
    >
      {isNew && (
        <Field
          label={collection === 'spaces' ? 'Key' : /pages|filters|dashboards/.test(collection) ? 'Id' : 'Name'}
          required
          field={first}
          value={name}
          onInput={typed => keepDraft(place, { ...draft, name: typed })}
        />
      )}
      <FormOrJson
        schemaOf={all => schemaOfRecords(all, collection)}
        label={name === '' ? 'New record' : name}
        text={text}
        onInput={typed => {
          const base = draft === undefined ? record : draft.base;
          const isKept = isNew || typed !== unchanged || !isSame(base, record);
          keepDraft(place, isKept ? { text: typed, base, name } : undefined);
        }}
      />
      {!isNew && draft !== undefined && conflict.value === undefined && !isSame(draft.base, record) && (
        <p class="hints" role="status">
          Someone else changed this record meanwhile. Save changes only the fields that you changed.
        </p>
      )}
      {conflict.value !== undefined && isNew && (
        <div class="problem" role="alert">
          <strong>
            <bdi>{name}</bdi> exists already
          </strong>
          <p>
            Use another name, or <a href={linkTo({ view: 'world', rest: [collection, name] })}>edit the record</a>.
          </p>
        </div>
      )}
      {conflict.value !== undefined && !isNew && (
        <ConflictNote conflict={conflict.value} onOverwrite={() => run(() => save(true))} onDiscard={discard} />
      )}
      <ProblemNote error={error} />
    </Form>
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
