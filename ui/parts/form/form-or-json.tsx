// A value of the API that is changed in a form, or as JSON.
import { signal } from '@preact/signals';
import { jsonIn } from '../changes/change.js';
import { prettyJson } from '../json/json-view.js';
import type { Schema } from './schema.js';
import { SchemaForm } from './schema-form.js';

/** Whether this tab shows JSON. */
const isJson = signal(false);

interface Props {
  /** Absent: not read yet. */
  readonly schema: Schema | undefined;
  readonly label: string;
  readonly text: string;
  readonly onInput: (text: string) => void;
}

export function FormOrJson({ schema, label, text, onInput }: Props) {
  const value = jsonIn(text);
  return (
    <div class="form-or-json">
      <button type="button" class="quiet form-kind" onClick={() => (isJson.value = !isJson.value)}>
        {isJson.value ? 'Show as a form' : 'Show as JSON'}
      </button>
      {isJson.value || value === undefined ? (
        <textarea
          class="editor"
          aria-label={`${label} as JSON`}
          spellcheck={false}
          rows={Math.min(24, text.split('\n').length + 2)}
          value={text}
          onInput={event => onInput(event.currentTarget.value)}
          onKeyDown={event => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
      ) : (
        schema && (
          <SchemaForm schema={schema} label={label} value={value} onChange={changed => onInput(prettyJson(changed))} />
        )
      )}
    </div>
  );
}
