// A text whose lines are marked where another text does not have them.
import { Highlighted } from '../json/json-view.js';

const MAX_LINES = 400;

interface Props {
  readonly title: string;
  readonly text: string;
  /** The lines that this one lacks are marked. */
  readonly other: string;
}

export function ComparedText({ title, text, other }: Props) {
  const known = new Set(other.split('\n'));
  return (
    <section class="body code" aria-label={title}>
      <h4>{title}</h4>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to be reached by keys */}
      <pre tabIndex={0}>
        {text
          .split('\n')
          .slice(0, MAX_LINES)
          .map((line, i) => (
            <span class={known.has(line) ? 'line' : 'line other'} key={`${i}-${line}`}>
              {!known.has(line) && <span class="sr-only">differs: </span>}
              <Highlighted text={line} />
            </span>
          ))}
      </pre>
    </section>
  );
}
