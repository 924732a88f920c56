// A field for the name or id of a record, with suggestions from the shown world.
import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import type { CollectionName, Json } from '../../client/wire.js';
import { route } from '../../live/route.js';
import { client } from '../../live/sandbox.js';
import { isJsonObject } from '../changes/change.js';

const MAX_SUGGESTED = 30;
const CALM_MS = 150;

interface Props {
  readonly collection: CollectionName;
  readonly label: string;
  readonly value: string;
  readonly isRequired?: boolean;
  readonly onInput: (name: string) => void;
  readonly onEnter?: () => void;
}

export function NameField({ collection, label, value, isRequired = false, onInput, onEnter }: Props) {
  const id = useId();
  const isUsed = useSignal(false);
  const found = useSignal<ReadonlyArray<readonly [key: string, name: string]>>([]);
  const { sandbox } = route.value;
  useEffect(() => {
    if (!isUsed.value) return undefined;
    const timer = setTimeout(async () => {
      const part = await client
        .in(sandbox)
        .part({ collection, containing: value, limit: MAX_SUGGESTED })
        .catch(() => undefined); // without suggestions, names can still be typed
      found.value = part?.records.map(({ key, record }) => [key, nameOf(record)]) ?? [];
    }, CALM_MS);
    return () => clearTimeout(timer);
  }, [sandbox, collection, value, isUsed.value]);
  return (
    <>
      <input
        list={id}
        aria-label={label}
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
        {found.value.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}

/** What people know the record by. */
function nameOf(record: Json): string {
  const name = isJsonObject(record) ? (record.displayName ?? record.title ?? record.name) : undefined;
  return typeof name === 'string' ? name : '';
}
