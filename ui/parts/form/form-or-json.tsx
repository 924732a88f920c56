// A value of the API that is changed in a form, or as JSON.
import { signal } from '@preact/signals';
import { Loaded } from '../empty-state.js';
import { jsonIn, prettyJson } from '../json/json-text.js';
import { useResource } from '../resource.js';
import { readSchemas, type Schema, type Schemas } from './schema.js';
import { SchemaForm } from './schema-form.js';

/** Whether this tab shows JSON. */
const isJson = signal(false);

interface Props {
  readonly schemaOf: (schemas: Schemas) => Schema;
  readonly label: string;
  readonly text: string;
  readonly onInput: (text: string) => void;
}

export function FormOrJson({ schemaOf, label, text, onInput }: Props) {
  const schemas = useResource(readSchemas);
  const value = jsonIn(text);
  return (
    <div class="form-or-json">
      <button type="button" class="quiet form-kind" onClick={() => (isJson.value = !isJson.value)}>
        {isJson.value ? 'Show as a form' : 'Show as JSON'}
      </button>
      {isJson.value || (value === undefined && text !== '') ? (
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
        <Loaded of={schemas}>
          {read => (
            <SchemaForm
              schema={schemaOf(read)}
              label={label}
              value={value}
              onChange={changed => onInput(prettyJson(changed))}
            />
          )}
        </Loaded>
      )}
    </div>
  );
}
