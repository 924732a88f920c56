// Two texts side by side with marked differences.
import { Highlighted } from '../json/json-view.js';

interface Line {
  readonly text: string;
  readonly isOther: boolean;
}

const MAX_LINES = 400;

/** The lines of two texts; differing ones are marked. */
export function comparedLines(before: string, after: string): readonly [before: Line[], after: Line[]] {
  const [a, b] = [before.split('\n').slice(0, MAX_LINES), after.split('\n').slice(0, MAX_LINES)];
  const lengths = commonLengths(a, b);
  const [left, right]: [Line[], Line[]] = [[], []];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const isSame = i < a.length && j < b.length && a[i] === b[j];
    if (isSame) {
      left.push({ text: a[i] ?? '', isOther: false });
      right.push({ text: b[j] ?? '', isOther: false });
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))) {
      left.push({ text: a[i] ?? '', isOther: true });
      i += 1;
    } else {
      right.push({ text: b[j] ?? '', isOther: true });
      j += 1;
    }
  }
  return [left, right];
}

/** Length of the longest common subsequence after each pair of lines. */
function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = lengths[i] as number[]; // made above
      row[j] = a[i] === b[j] ? 1 + (lengths[i + 1]?.[j + 1] ?? 0) : Math.max(lengths[i + 1]?.[j] ?? 0, row[j + 1] ?? 0);
    }
  return lengths;
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
