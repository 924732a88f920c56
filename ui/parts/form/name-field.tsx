// A field for the name or id of a record, with suggestions from the shown world.
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { CollectionName } from '../../client/wire.js';
import { here } from '../../live/sandbox.js';
import { nameOf } from '../changes/change.js';
import { useResource } from '../resource.js';

const MAX_SUGGESTED = 30;

interface Props {
  /** Absent: it is any name. */
  readonly collection: CollectionName | undefined;
  readonly label: string;
  readonly value: string;
  readonly isRequired?: boolean;
  readonly onInput: (name: string) => void;
  readonly onEnter?: () => void;
}

export function NameField({ collection, label, value, isRequired = false, onInput, onEnter }: Props) {
  const id = useId();
  const isUsed = useSignal(false);
  const inSandbox = here();
  const suggested = useResource(
    async () => {
      if (collection === undefined || !isUsed.value) return [];
      return (await inSandbox.part({ collection, containing: value, limit: MAX_SUGGESTED })).records;
    },
    [collection, isUsed.value],
    [value],
  ).value; // without suggestions, names can still be typed
  return (
    <>
      <input
        list={id}
        aria-label={label}
        placeholder={onEnter && label}
        required={isRequired}
        value={value}
        onFocus={() => (isUsed.value = true)}
        onInput={event => onInput(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter' || onEnter === undefined) return;
          event.preventDefault();
          onEnter();
        }}
      />
      <datalist id={id}>
        {suggested?.map(({ key, record }) => (
          <option key={key} value={key}>
            {nameOf(record)}
          </option>
        ))}
      </datalist>
    </>
  );
}
