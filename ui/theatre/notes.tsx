// The presenter's notes in a window of their own, beside the one that the audience sees: what comes now, what comes next, and the time since the start.
import { type Signal, signal } from '@preact/signals';
import { type ComponentChildren, render } from 'preact';
import { Button } from '../parts/button.js';
import { type Beat, beats, type Performance } from './performance.js';

/** What the audience has seen of a step. */
const shownSoFar: Readonly<Record<Beat, string>> = {
  said: 'the sentence',
  asked: 'the request',
  answered: 'the response',
  changed: 'what changed',
};

let opened: Window | null = null;

/** Opens the notes, or shows them again. The returned function closes them. `press`: the keys of the stage. */
export function openNotes(performance: Performance, press: (event: KeyboardEvent) => void): () => void {
  const began = Date.now();
  const minutes = signal(0);
  opened?.close();
  const own = window.open('', '', 'popup,width=680,height=640');
  opened = own;
  if (own === null) return () => undefined; // the browser forbids it, and says so
  const { document: page } = own;
  page.title = `Notes: ${performance.preview.peek()?.title ?? performance.name}`;
  page.documentElement.lang = 'en';
  page.documentElement.dataset.theme = document.documentElement.dataset.theme ?? 'system';
  for (const sheet of document.querySelectorAll('link[rel="stylesheet"]')) page.head.append(sheet.cloneNode());
  own.addEventListener('keydown', press);
  const timer = setInterval(() => (minutes.value = Math.floor((Date.now() - began) / 60_000)), 1_000);
  render(<Notes performance={performance} minutes={minutes} />, page.body);
  return () => {
    clearInterval(timer);
    own.close();
  };
}

function Notes({ performance, minutes }: { readonly performance: Performance; readonly minutes: Signal<number> }) {
  const { preview, index, beat, count, isOver, isBusy, forward, back } = performance;
  const { about = '', steps = [] } = preview.value ?? {};
  const now = steps[index.value];
  const later = steps[index.value + 1];
  return (
    <main class="notes">
      <h1 class="sr-only">Notes</h1>
      <p class="muted">
        {isOver.value ? 'At the end' : `Step ${index.value + 1} of ${count.value}`} · {minutes.value} min
      </p>
      <Note title="Now" text={now?.say}>
        <p class="muted">
          <code>{now?.operation}</code> {now?.as !== undefined && `as ${now.as}`} · shown: {shownSoFar[beat.value]}
          {beat.value !== beats.at(-1) && now?.status !== undefined && ` · expected ${JSON.stringify(now.status)}`}
        </p>
      </Note>
      <Note title="Next" text={later?.say} />
      <Note title="About" text={about} />
      <div class="actions">
        <Button onClick={back}>← Back</Button>
        <Button class="primary" isBusy={isBusy.value} isOff={isOver.value} onClick={forward}>
          Next →
        </Button>
      </div>
    </main>
  );
}

interface NoteProps {
  readonly title: string;
  readonly text: string | undefined;
  readonly children?: ComponentChildren;
}

function Note({ title, text, children }: NoteProps) {
  if (!text) return null;
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <p>
        <bdi>{text}</bdi>
      </p>
      {children}
    </section>
  );
}
