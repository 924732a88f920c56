// Formatted JSON: indented, coloured, cut if long. Never interpreted as markup.
import { useSignal } from '@preact/signals';
import type { Json } from '../../client/wire.js';
import { jsonIn } from '../changes/change.js';

const MAX_CHARS = 20_000;
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*"?(?:\s*:)?|true|false|null|-?\d[\d.eE+-]*)/;

/** JSON that somebody typed. */
export function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new Error(`Not valid JSON: ${(error as Error).message}`); // with the place, in the words of the browser
  }
}

/** The formatted text of a body: indented JSON with short lists and objects on one line. */
export function prettyText(text: string): string {
  const value = jsonIn(text);
  return value === undefined ? text : prettyJson(value);
}

/** Maximum characters of a line. */
const WIDTH = 66;

export function prettyJson(value: Json | undefined, indent = ''): string {
  if (value === undefined) return '';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (JSON.stringify(value).length <= WIDTH) {
    const line = JSON.stringify(value, null, 1) // no line break of it is within a string
      .replaceAll(/\[\n *|\n *(?=\])/g, bracket => bracket.trim())
      .replaceAll(/\n */g, ' ');
    if (line.length + indent.length <= WIDTH) return line;
  }
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((each: Json) => inner + prettyJson(each, inner))
    : Object.entries(value).map(([key, each]) => `${inner}${JSON.stringify(key)}: ${prettyJson(each as Json, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return parts.length === 0 ? `${open}${close}` : `${open}\n${parts.join(',\n')}\n${indent}${close}`;
}

export function JsonView({ text, label }: { readonly text: string; readonly label: string }) {
  const isWhole = useSignal(false);
  const shown = isWhole.value ? text : text.slice(0, MAX_CHARS);
  return (
    <section class="code" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to be reached by keys */}
      <pre tabIndex={0}>
        <Highlighted text={shown} />
      </pre>
      {shown.length < text.length && (
        <button type="button" class="link" onClick={() => (isWhole.value = true)}>
          Show all {text.length.toLocaleString('en')} characters
        </button>
      )}
    </section>
  );
}

export function Highlighted({ text }: { readonly text: string }) {
  const parts = text.split(TOKEN); // every second one is a token
  return (
    <>
      {parts.map((part, i) =>
        i % 2 === 0 ? (
          part
        ) : (
          <span class={`json-${kindOf(part)}`} key={`${i}`}>
            {part}
          </span>
        ),
      )}
    </>
  );
}

function kindOf(token: string): string {
  if (token.endsWith(':')) return 'key';
  return token.startsWith('"') ? 'string' : /^[tfn]/.test(token) ? 'word' : 'number';
}
