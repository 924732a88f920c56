// Two texts side by side with marked differences.
import { Highlighted } from '../json/json-view.js';

interface Line {
  readonly text: string;
  readonly isOther: boolean;
}

const MAX_LINES = 400;

/** The lines of two texts; those that the other lacks are marked. */
export function comparedLines(before: string, after: string): readonly [before: Line[], after: Line[]] {
  const [a, b] = [before.split('\n').slice(0, MAX_LINES), after.split('\n').slice(0, MAX_LINES)];
  const marked = (lines: string[], others: string[]) => {
    const known = new Set(others);
    return lines.map(text => ({ text, isOther: !known.has(text) }));
  };
  return [marked(a, b), marked(b, a)];
}

export function ComparedText({ lines, label }: { readonly lines: readonly Line[]; readonly label: string }) {
  return (
    <section class="code" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to be reached by keys */}
      <pre tabIndex={0}>
        {lines.map(({ text, isOther }, i) => (
          <span class={isOther ? 'line other' : 'line'} key={`${i}-${text}`}>
            {isOther && <span class="sr-only">differs: </span>}
            <Highlighted text={text} />
          </span>
        ))}
      </pre>
    </section>
  );
}
