// The stage: one step in large type, moved on by keys, buttons, links to steps or by itself.
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { linkTo } from '../live/route.js';
import { Button } from '../parts/button.js';
import { Dialog } from '../parts/dialog.js';
import { EmptyState } from '../parts/empty-state.js';
import { Choice } from '../parts/field.js';
import { ProblemNote } from '../parts/problem-note.js';
import { openNotes } from './notes.js';
import type { Performance } from './performance.js';
import { Scene } from './scene.js';

/** A presenter's remote control sends page up and page down. */
const forwardKeys: readonly string[] = ['ArrowRight', ' ', 'Enter', 'PageDown'];
const backKeys: readonly string[] = ['ArrowLeft', 'Backspace', 'PageUp'];
const paces = [0, 3, 6, 12].map(seconds => [seconds, seconds === 0 ? 'by hand' : `every ${seconds} s`] as const);

export function Stage({ performance }: { readonly performance: Performance }) {
  const stage = useRef<HTMLDivElement>(null);
  const isOutlined = useSignal(false);
  const closeNotes = useRef(() => {});
  const preview = performance.preview.value;
  const { step } = performance;
  const press = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || isFor(event.target as Element | null, event.key)) return;
    if (forwardKeys.includes(event.key)) performance.forward();
    else if (backKeys.includes(event.key)) performance.back();
    else if (event.key === 'f') void toggleFullScreen(stage.current);
    else if (event.key === 'r') performance.restart();
    else if (event.key === 'o') isOutlined.value = true;
    else if (event.key === 'n') showNotes();
    else return;
    event.preventDefault();
  };
  const showNotes = () => {
    closeNotes.current = openNotes(performance, press);
  };
  useLayoutEffect(() => {
    // before it is painted: an early key press counts
    addEventListener('keydown', press);
    return () => {
      removeEventListener('keydown', press);
      closeNotes.current();
    };
  }, [performance]);
  useAutoplay(performance);
  return (
    <div class="theatre" ref={stage}>
      <header class="theatre-head">
        <a class="quiet button" href={linkTo({ view: 'theatre' })}>
          ← All
        </a>
        <h2>
          <bdi>{preview?.title}</bdi>
        </h2>
        <Progress performance={performance} />
      </header>
      <ProblemNote error={performance.error.value} />
      {preview === undefined && performance.error.value === undefined && <EmptyState title="Loading…" isLoading />}
      {step !== undefined && <Scene performance={performance} step={step} key={step.step} />}
      {performance.isOver.value && <Ended performance={performance} />}
      <Foot performance={performance} onOutline={() => (isOutlined.value = true)} onNotes={showNotes} />
      {isOutlined.value && <Outline performance={performance} onClose={() => (isOutlined.value = false)} />}
    </div>
  );
}

/** Goes on by itself at the chosen pace, until the end. */
function useAutoplay(performance: Performance): void {
  const { pace, index, beat, isBusy, isOver } = performance;
  useEffect(() => {
    if (pace.value === 0 || isBusy.value || isOver.value) return undefined;
    const timer = setTimeout(performance.forward, pace.value * 1_000);
    return () => clearTimeout(timer);
  }, [performance, pace.value, index.value, beat.value, isBusy.value, isOver.value]);
}

interface FootProps {
  readonly performance: Performance;
  readonly onOutline: () => void;
  readonly onNotes: () => void;
}

function Foot({ performance, onOutline, onNotes }: FootProps) {
  const { pace, isBusy, isOver } = performance;
  return (
    <footer class="theatre-foot">
      <Button onClick={performance.back}>← Back</Button>
      <Button class="primary" isBusy={isBusy.value} isOff={isOver.value} onClick={performance.forward}>
        {nextOf(performance)}
      </Button>
      <Button class="quiet" onClick={onOutline}>
        Outline
      </Button>
      <Button class="quiet" onClick={onNotes}>
        Notes
      </Button>
      <span class="check">
        <span>Play</span>
        <Choice label="Play" value={pace.value} options={paces} onChange={seconds => (pace.value = Number(seconds))} />
      </span>
      <span class="muted keys">
        <kbd>→</kbd> next <kbd>←</kbd> back <kbd>R</kbd> restart <kbd>F</kbd> full screen
      </span>
      <span class="spacer" />
      <a href={linkTo({ view: 'world' })}>World</a>
      <a href={linkTo({ view: 'requests' })}>Requests</a>
    </footer>
  );
}

interface OutlineProps {
  readonly performance: Performance;
  readonly onClose: () => void;
}

/** The presenter's notes, and a link to each step. */
function Outline({ performance: { sandbox, name, index, preview }, onClose }: OutlineProps) {
  const { about, steps = [] } = preview.value ?? {};
  return (
    <Dialog title="Outline" onClose={onClose} isWide>
      <p>{about}</p>
      <ol class="rows">
        {steps.map(({ step, say, operation }, i) => (
          <li key={step}>
            <span class="num muted">{step}</span>
            <a
              href={linkTo({ sandbox, view: 'theatre', rest: [name, String(step)] })}
              aria-current={i === index.value ? 'step' : undefined}
              onClick={onClose}
            >
              <bdi>{say}</bdi>
            </a>
            <code class="muted">{operation}</code>
          </li>
        ))}
      </ol>
    </Dialog>
  );
}

/** Whether a key is for the focused element: any key for a field, activating keys for a button. */
function isFor(target: Element | null, key: string): boolean {
  if (target?.closest === undefined) return false; // the notes are another window, with elements of its own
  if (target.closest('input, select, textarea, dialog') !== null) return true;
  return (key === ' ' || key === 'Enter') && target.closest('button, a, summary') !== null;
}

async function toggleFullScreen(element: HTMLElement | null): Promise<void> {
  if (document.fullscreenElement === null) await element?.requestFullscreen();
  else await document.exitFullscreen();
}

function nextOf({ beat, index, count, step, preview }: Performance): string {
  if (preview.value === undefined) return 'Loading…';
  if (step === undefined) return 'End';
  switch (beat.value) {
    case 'said':
      return step.request === undefined ? 'Next →' : 'Show the request →';
    case 'asked':
      return 'Send it →';
    case 'answered':
      return 'What changed →';
    case 'changed':
      return index.value + 1 < count.value ? 'Next step →' : 'Result →';
  }
}

function Progress({ performance: { count, index, failures, failed } }: { readonly performance: Performance }) {
  const label = `Step ${Math.min(index.value + 1, count.value)} of ${count.value}`;
  return (
    <div class="progress" role="img" aria-label={failed.value === 0 ? label : `${label}, ${failed.value} failed`}>
      {Array.from({ length: count.value }, (_, i) => {
        const state = i < index.value ? 'is-done' : i === index.value ? 'is-now' : '';
        return <span class={`${state} ${failures.value[i] ? 'is-failed' : ''}`} key={`${i}`} />;
      })}
    </div>
  );
}

function Ended({ performance }: { readonly performance: Performance }) {
  const { failed, count, preview, restart } = performance;
  const passed = count.value === 1 ? 'The step passed.' : `All ${count.value} steps passed.`;
  return (
    <div class="ended">
      <p class={`say ${failed.value > 0 ? 'is-failed' : ''}`}>
        {failed.value === 0 ? passed : `${failed.value} of ${count.value} steps failed.`}
      </p>
      <p class="about">{preview.value?.about}</p>
      <Button onClick={restart}>Play again</Button>
    </div>
  );
}
