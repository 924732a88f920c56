// Formatted JSON: indented, coloured, cut if long. Never interpreted as markup.
import { useSignal } from '@preact/signals';

const MAX_CHARS = 20_000;
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*"?(?:\s*:)?|true|false|null|-?\d[\d.eE+-]*)/;

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
