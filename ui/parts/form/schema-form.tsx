// A form for any JSON schema of the API: what the schema has, the form has, so that a new field appears by itself.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { CollectionName, Json } from '../../client/wire.js';
import { isJsonObject } from '../changes/change.js';
import { Choice } from '../field.js';
import { jsonIn } from '../json/json-text.js';
import { Prose } from '../prose.js';
import { NameField } from './name-field.js';
import { blankOf, isMeantFor, labelOf, type Schema, variantLabel, variantsOf, withField } from './schema.js';

interface Props {
  readonly schema: Schema;
  readonly label: string;
  readonly value: Json | undefined;
  readonly onChange: (value: Json) => void;
  /** Removes it; absent: it is required. */
  readonly onRemove?: (() => void) | undefined;
}

export function SchemaForm(props: Props) {
  const { schema, label, value, onRemove } = props;
  const { type, enum: values, items } = schema;
  if (variantsOf(schema).length > 0) return <Variants {...props} />;
  if (values?.length === 1) return <Group {...props} />;
  if (type === 'array') return items?.['x-collection'] === undefined ? <List {...props} /> : <Names {...props} />;
  if (type === 'object' && (value === undefined || isJsonObject(value))) return <Fields {...props} />;
  const isCheck = type === 'boolean';
  const control = <Control {...props} />;
  return (
    <div class="form-row">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: its child is one */}
      <label class={isCheck ? 'check' : 'field'}>
        {isCheck && control}
        <span>{label}</span>
        {!isCheck && control}
      </label>
      <Remove label={label} onRemove={onRemove} />
      <Help schema={schema} />
    </div>
  );
}

/** Texts longer than this get several lines. */
const LONG_TEXT = 1_000;

/** The control of one value. */
function Control(props: Props) {
  const { schema, label, value, onChange, onRemove } = props;
  const { type, enum: values, minimum, maximum, maxLength = 0, 'x-collection': collection } = schema;
  const text = String(value ?? '');
  const take = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value);
  if (values !== undefined)
    return <Choice {...{ label, onChange }} value={text} options={values.map(each => [String(each), String(each)])} />;
  if (type === 'boolean')
    return <input type="checkbox" checked={value === true} onChange={event => onChange(event.currentTarget.checked)} />;
  if (type === 'integer' || type === 'number')
    return (
      <input
        type="number"
        required
        step={type === 'number' ? 'any' : 1}
        {...(minimum !== undefined && { min: minimum })}
        {...(maximum !== undefined && { max: maximum })}
        value={text}
        onInput={event => {
          const { valueAsNumber } = event.currentTarget;
          if (!Number.isNaN(valueAsNumber)) onChange(valueAsNumber);
        }}
      />
    );
  if (type !== 'string') return <AnyJson {...props} />;
  if (collection !== undefined)
    return <NameField {...{ collection, label }} isRequired={onRemove === undefined} value={text} onInput={onChange} />;
  return maxLength > LONG_TEXT ? (
    <textarea rows={5} value={text} onInput={take} />
  ) : (
    <input value={text} onInput={take} />
  );
}

/** Several fields under one name. */
function Group({ schema, label, onRemove, children }: Props & { readonly children?: ComponentChildren }) {
  return (
    <fieldset class="form-group">
      <legend>
        {label} <Remove label={label} onRemove={onRemove} />
      </legend>
      <Help schema={schema} />
      {children}
    </fieldset>
  );
}

function Remove({ label, onRemove }: Pick<Props, 'label' | 'onRemove'>) {
  if (onRemove === undefined) return null;
  return (
    <button type="button" class="quiet" aria-label={`Remove ${label}`} title={`Remove ${label}`} onClick={onRemove}>
      ✕
    </button>
  );
}

function Help({ schema: { title = '', description = '' } }: Pick<Props, 'schema'>) {
  const text = [/^[A-Z]\w*$/.test(title) ? '' : title, description].filter(part => part !== '').join('. ');
  return text === '' ? null : (
    <small class="muted">
      <Prose text={text} />
    </small>
  );
}

/** The fields of an object, which may have any others too, such as headers. Absent ones can be added. */
function Fields(props: Props) {
  const { schema, label, value, onChange } = props;
  const { properties = {}, required = [], additionalProperties } = schema;
  const own = isJsonObject(value) ? value : {};
  const free = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const names = [...new Set([...Object.keys(properties), ...Object.keys(own)])];
  const schemaOf = (name: string) => properties[name] ?? free ?? {};
  const isShown = (name: string) => required.includes(name) || name in own;
  const set = (name: string, field: Json | undefined) => onChange(withField(own, name, field));
  return (
    <Group {...props}>
      {names.filter(isShown).map(name => (
        <SchemaForm
          key={name}
          schema={schemaOf(name)}
          label={name in properties ? labelOf(name) : name}
          value={own[name]}
          onChange={changed => set(name, changed)}
          onRemove={required.includes(name) ? undefined : () => set(name, undefined)}
        />
      ))}
      <div class="form-more">
        {names
          .filter(name => !isShown(name))
          .map(name => (
            <button
              key={name}
              type="button"
              class="quiet"
              title={schemaOf(name).description ?? schemaOf(name).title}
              onClick={() => set(name, blankOf(schemaOf(name)))}
            >
              + {labelOf(name)}
            </button>
          ))}
      </div>
      {free !== undefined && <Adding label={label} onAdd={name => set(name, blankOf(free))} />}
    </Group>
  );
}

interface AddingProps {
  readonly label: string;
  readonly collection?: CollectionName | undefined;
  readonly onAdd: (name: string) => void;
}

/** A name that is typed and added. */
function Adding({ label, collection, onAdd }: AddingProps) {
  const typed = useSignal('');
  const add = () => {
    if (typed.peek() !== '') onAdd(typed.peek());
    typed.value = '';
  };
  return (
    <div class="inline">
      <NameField
        collection={collection}
        label={`Add to ${label}`}
        value={typed.value}
        onInput={name => (typed.value = name)}
        onEnter={add}
      />
      <button type="button" onClick={add}>
        Add
      </button>
    </div>
  );
}

/** One of several kinds of value; the values of a list of values are kinds of their own. */
function Variants(props: Props) {
  const { schema, label, value, onChange } = props;
  const kinds = variantsOf(schema).flatMap(variant =>
    variant.enum === undefined ? [variant] : variant.enum.map(each => ({ enum: [each] })),
  );
  const chosen = kinds.findIndex(kind => isMeantFor(value, kind));
  const kind: Schema = kinds[Math.max(0, chosen)] ?? {};
  return (
    <Group {...props}>
      <Choice
        label={`${label}: kind`}
        value={chosen}
        options={kinds.map((each, i) => [i, variantLabel(each)])}
        onChange={i => onChange(blankOf(kinds[Number(i)] ?? {}))}
      />
      {kind.enum === undefined && (
        <SchemaForm schema={kind} label={variantLabel(kind)} value={value} onChange={onChange} />
      )}
    </Group>
  );
}

/** Names or ids out of a collection. */
function Names(props: Props) {
  const { schema, label, value, onChange } = props;
  const { type, 'x-collection': collection } = schema.items ?? {};
  const names: readonly Json[] = Array.isArray(value) ? value : [];
  return (
    <Group {...props}>
      <ul class="chips">
        {names.map(name => (
          <li class="chip" key={String(name)}>
            <bdi title={String(name)}>{String(name)}</bdi>
            <button
              type="button"
              class="link"
              aria-label={`Remove ${String(name)} from ${label}`}
              onClick={() => onChange(names.filter(each => each !== name))}
            >
              ✕
            </button>
          </li>
        ))}
        {names.length === 0 && <li class="muted">none</li>}
      </ul>
      <Adding
        label={label}
        collection={collection}
        onAdd={name => onChange([...new Set([...names, type === 'integer' ? Number(name) : name])])}
      />
    </Group>
  );
}

function List(props: Props) {
  const { schema, label, value, onChange } = props;
  const { items = {}, minItems = 0 } = schema;
  const elements: readonly Json[] = Array.isArray(value) ? value : [];
  return (
    <Group {...props}>
      {elements.map((element, i) => (
        <SchemaForm
          key={`${i}`}
          schema={items}
          label={`${label} ${i + 1}`}
          value={element}
          onChange={changed => onChange(elements.with(i, changed))}
          onRemove={elements.length > minItems ? () => onChange(elements.toSpliced(i, 1)) : undefined}
        />
      ))}
      <button type="button" class="quiet" onClick={() => onChange([...elements, blankOf(items)])}>
        + {label} {elements.length + 1}
      </button>
    </Group>
  );
}

/** Anything: JSON if it can be read as that, otherwise text. */
function AnyJson({ value, onChange }: Props) {
  const text = useSignal(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  return (
    <textarea
      class="editor"
      rows={4}
      value={text.value}
      onInput={event => {
        text.value = event.currentTarget.value;
        onChange(jsonIn(text.value) ?? text.value);
      }}
    />
  );
}
