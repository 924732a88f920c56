// A labelled field, a search and a choice.
import type { Signal } from '@preact/signals';
import type { ComponentChildren, InputHTMLAttributes } from 'preact';

/** The pattern of names of sandboxes and snapshots. */
export const SANDBOX_NAME = '[A-Za-z0-9._\\-]{1,64}';

type Input = Omit<InputHTMLAttributes, 'value' | 'onInput' | 'type' | 'list' | 'role'>;

interface FieldProps extends Input {
  readonly label: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly type?: 'text' | 'password' | 'datetime-local';
  readonly field?: { current: HTMLInputElement | null };
}

/** The value of a field, and what changes it. */
export const bound = (signal: Signal<string>) => ({
  value: signal.value,
  onInput: (text: string) => {
    signal.value = text;
  },
});

export function Field({ label, value, onInput, field, type = 'text', ...rest }: FieldProps) {
  const attributes = { ...rest, type } as object; // each of these types takes them
  return (
    <label class="field">
      <span>{label}</span>
      <input
        {...attributes}
        {...(field && { ref: field })}
        value={value}
        onInput={event => onInput(event.currentTarget.value)}
      />
    </label>
  );
}

interface SearchProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
}

export function Search({ label, value, onInput }: SearchProps) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onInput={event => onInput(event.currentTarget.value)}
    />
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string | number;
  readonly options: ReadonlyArray<readonly [value: string | number, title: string]>;
  readonly onChange: (value: string) => void;
  readonly isOff?: boolean;
}

export function Choice({ label, value, options, onChange, isOff = false }: ChoiceProps): ComponentChildren {
  return (
    <select aria-label={label} value={value} disabled={isOff} onChange={event => onChange(event.currentTarget.value)}>
      {options.map(([each, title]) => (
        <option key={each} value={each}>
          {title}
        </option>
      ))}
    </select>
  );
}
