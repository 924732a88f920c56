// A value of the API that is changed in a form, or as JSON.
import { signal } from '@preact/signals';
import type { Json } from '../../client/wire.js';
import { JsonEditor } from '../json/json-editor.js';
import { prettyJson } from '../json/json-view.js';
import { ProblemNote } from '../problem-note.js';
import { useResource } from '../resource.js';
import { readSchemas, type Schema, type Schemas } from './schema.js';
import { SchemaForm } from './schema-form.js';

/** Whether this tab shows JSON. */
const isJson = signal(false);

interface Props {
  readonly schemaOf: (schemas: Schemas) => Schema;
  readonly label: string;
  readonly text: string;
  readonly isReadOnly?: boolean;
  readonly onInput: (text: string) => void;
  readonly onSave: () => void;
}

export function FormOrJson({ schemaOf, label, text, isReadOnly = false, onInput, onSave }: Props) {
  const schemas = useResource(readSchemas, []);
  const value = parsed(text);
  const isForm = !isJson.value && !isReadOnly && value !== undefined;
  return (
    <div class="form-or-json">
      {!isReadOnly && (
        <button type="button" class="quiet form-kind" onClick={() => (isJson.value = !isJson.value)}>
          {isJson.value ? 'Show as a form' : 'Show as JSON'}
        </button>
      )}
      <ProblemNote error={schemas.error.value} />
      {isForm && schemas.value.value !== undefined && (
        <SchemaForm
          schema={schemaOf(schemas.value.value)}
          label={label}
          value={value}
          onChange={changed => onInput(prettyJson(changed))}
        />
      )}
      {!isForm && (
        <JsonEditor label={`${label} as JSON`} text={text} isReadOnly={isReadOnly} onInput={onInput} onSave={onSave} />
      )}
    </div>
  );
}

/** `undefined`: it is not JSON. */
function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
