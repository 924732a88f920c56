// A virtualized table with keyboard navigation and grid semantics.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export interface Column {
  readonly title: string;
  /** A CSS grid track. */
  readonly width: string;
}

interface Props {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly count: number;
  /** Minimum width of a row in CSS; narrower tables scroll sideways. */
  readonly leastWidth?: string;
  readonly selected: number | undefined;
  /** The cells of a row; `undefined`: not loaded. */
  readonly row: (index: number) => readonly ComponentChildren[] | undefined;
  readonly rowClass: (index: number) => string;
  readonly rowKey: (index: number) => string;
  /** `isMoving`: by an arrow key, through many rows. */
  readonly onSelect: (index: number, isMoving: boolean) => void;
  /** Called with the first row to load. */
  readonly onWindow?: (from: number) => void;
  /** Number of rows prepended since the list was first shown: the scroll position stays. */
  readonly grown?: number;
}

const AROUND = 8;
/** Heights in pixels. */
const ROW = 30;
const HEAD = 30;

export function WindowedGrid(props: Props) {
  const { label, columns, count, leastWidth = '0', selected, row, onSelect, onWindow, grown = 0 } = props;
  const box = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(600);
  const lastGrown = useRef(grown);
  const from = Math.max(0, Math.floor(top.value / ROW) - AROUND);
  const to = Math.min(count, Math.ceil((top.value + height.value) / ROW) + AROUND);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => (height.value = element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = box.current;
    if (element !== null && element.scrollTop > ROW) element.scrollTop += (grown - lastGrown.current) * ROW;
    lastGrown.current = grown;
  }, [grown]);
  useLayoutEffect(() => onWindow?.(from), [from]);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || selected === undefined) return;
    const at = selected * ROW;
    const seen = element.clientHeight - HEAD;
    if (at < element.scrollTop) element.scrollTop = at;
    else if (at + ROW > element.scrollTop + seen) element.scrollTop = at + ROW - seen;
  }, [selected]);

  const move = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(height.peek() / ROW) - 2);
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -count,
      End: count,
    };
    const step = steps[event.key];
    if (step === undefined || count === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const start = selected ?? (step > 0 ? -1 : 0);
    onSelect(Math.min(count - 1, Math.max(0, start + step)), true);
  };
  const id = (index: number) => `${label.replaceAll(/\W+/g, '-')}-${index}`;
  const isSeen = selected !== undefined && selected >= from && selected < to;
  const template = { '--own-columns': columns.map(({ width }) => width).join(' ') };
  return (
    <div
      class="grid"
      ref={box}
      role="grid"
      aria-label={label}
      aria-rowcount={count + 1}
      aria-activedescendant={isSeen ? id(selected) : undefined}
      tabIndex={0}
      style={{ '--least': leastWidth }}
      onKeyDown={move}
      onScroll={event => {
        top.value = event.currentTarget.scrollTop;
      }}
    >
      <div role="rowgroup" class="grid-head">
        <div role="row" class="grid-row" aria-rowindex={1} style={template}>
          {columns.map(({ title }) => (
            <div role="columnheader" key={title}>
              {title}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" class="grid-body" style={{ height: `${count * ROW}px` }}>
        {Array.from({ length: Math.max(0, to - from) }, (_, i) => {
          const index = from + i;
          const cells = row(index);
          return (
            <div
              role="row"
              key={props.rowKey(index)}
              id={id(index)}
              class={`grid-row ${props.rowClass(index)}`}
              aria-rowindex={index + 2}
              aria-selected={index === selected}
              style={{ ...template, transform: `translateY(${index * ROW}px)`, height: `${ROW}px` }}
              onClick={() => onSelect(index, false)}
            >
              {columns.map(({ title }, column) => (
                <div role="gridcell" key={title}>
                  {cells === undefined ? <span class="skeleton" /> : cells[column]}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}
