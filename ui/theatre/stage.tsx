// The stage: one step in large type, with its reasons in small type at the side.
import { Fragment } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Story } from '../client/control-client.js';
import type { Ledger, Preview, PreviewStep } from '../client/wire.js';
import { readLedger } from '../live/ledger.js';
import { linkTo } from '../live/route.js';
import { Button } from '../parts/button.js';
import { ChangesView } from '../parts/changes/changes-view.js';
import { Highlighted, prettyJson, prettyText } from '../parts/json/json-view.js';
import { ProblemNote } from '../parts/problem-note.js';
import { Prose } from '../parts/prose.js';
import { useResource } from '../parts/resource.js';
import { guessesOf } from '../requests/filter.js';
import { Performance, type Shown } from './performance.js';

interface Props {
  readonly sandbox: string;
  readonly story: Story;
  readonly preview: Preview;
}

/** A presenter's remote control sends page up and page down. */
const forwardKeys: readonly string[] = ['ArrowRight', ' ', 'Enter', 'PageDown'];
const backKeys: readonly string[] = ['ArrowLeft', 'Backspace', 'PageUp'];

export function Stage({ sandbox, story, preview }: Props) {
  const performance = useMemo(() => new Performance(sandbox, story, preview), [sandbox, story, preview]);
  const stage = useRef<HTMLDivElement>(null);
  const index = performance.index.value;
  const step = preview.steps[index];
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || isFor(event.target, event.key)) return;
      if (forwardKeys.includes(event.key)) void performance.forward();
      else if (backKeys.includes(event.key)) void performance.back();
      else if (event.key === 'f') void toggleFullScreen(stage.current);
      else if (event.key === 'r') performance.restart();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [performance]);
  return (
    <div class="theatre" ref={stage}>
      <header class="theatre-head">
        <a class="quiet button" href={linkTo({ view: 'theatre' })}>
          ← All
        </a>
        <h2>
          <bdi>{preview.title}</bdi>
        </h2>
        <Progress count={preview.steps.length} index={index} failures={performance.failures.value} />
      </header>
      <ProblemNote error={performance.error.value} />
      {step === undefined ? (
        <Ended performance={performance} />
      ) : (
        <Scene performance={performance} step={step} sandbox={sandbox} />
      )}
      <footer class="theatre-foot">
        <Button isOff={performance.isBusy.value} onClick={() => void performance.back()}>
          ← Back
        </Button>
        <Button
          class="primary"
          isOff={performance.isBusy.value || performance.isOver}
          onClick={() => void performance.forward()}
        >
          {nextOf(performance, step)}
        </Button>
        <span class="muted keys">
          <kbd>→</kbd> next <kbd>←</kbd> back <kbd>R</kbd> restart <kbd>F</kbd> full screen
        </span>
        <span class="spacer" />
        <a href={linkTo({ view: 'world' })}>World</a>
        <a href={linkTo({ view: 'requests' })}>Requests</a>
      </footer>
    </div>
  );
}

/** Whether a key is for the focused element: any key for a field, activating keys for a button. */
function isFor(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest('input, select, textarea, dialog') !== null) return true;
  return (key === ' ' || key === 'Enter') && target.closest('button, a, summary') !== null;
}

async function toggleFullScreen(element: HTMLElement | null): Promise<void> {
  if (document.fullscreenElement === null) await element?.requestFullscreen();
  else await document.exitFullscreen();
}

function nextOf({ beat, index, preview }: Performance, step: PreviewStep | undefined): string {
  if (step === undefined) return 'End';
  switch (beat.value) {
    case 'said':
      return step.request === undefined ? 'Next →' : 'Show the request →';
    case 'asked':
      return 'Send it →';
    case 'answered':
      return 'What changed →';
    case 'changed':
      return index.value + 1 < preview.steps.length ? 'Next step →' : 'Result →';
  }
}

interface ProgressProps {
  readonly count: number;
  readonly index: number;
  /** Whether each played step failed. */
  readonly failures: readonly boolean[];
}

function Progress({ count, index, failures }: ProgressProps) {
  const failed = failures.filter(Boolean).length;
  const label = `Step ${Math.min(index + 1, count)} of ${count}${failed === 0 ? '' : `, ${failed} failed`}`;
  return (
    <div class="progress" role="img" aria-label={label}>
      {Array.from({ length: count }, (_, i) => {
        const state = i < index ? 'is-done' : i === index ? 'is-now' : '';
        return <span class={`${state} ${failures[i] ? 'is-failed' : ''}`} key={`${i}`} />;
      })}
    </div>
  );
}

function Ended({ performance }: { readonly performance: Performance }) {
  const { preview, failed } = performance;
  const count = preview.steps.length;
  return (
    <div class="ended">
      <p class={`say ${failed.value > 0 ? 'is-failed' : ''}`}>
        {failed.value === 0
          ? `${count === 1 ? 'The step' : `All ${count} steps`} passed.`
          : `${failed.value} of ${count} steps failed.`}
      </p>
      {preview.about !== '' && <p class="about">{preview.about}</p>}
      <Button onClick={performance.restart}>Play again</Button>
    </div>
  );
}

interface SceneProps {
  readonly performance: Performance;
  readonly step: PreviewStep;
  readonly sandbox: string;
}

function Scene({ performance, step, sandbox }: SceneProps) {
  const beat = performance.beat.value;
  const shown = performance.shown.value;
  const ledger = useResource(readLedger, []).value.value;
  const parts = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = parts;
    if (current === null) return;
    const watching = new ResizeObserver(() => {
      const scene = current.closest<HTMLElement>('.scene');
      const { lastElementChild: latest } = current;
      if (scene === null || latest === null) return;
      scene.style.scrollPaddingTop = `${(scene.firstElementChild?.clientHeight ?? 0) + 12}px`; // the text stays on top
      scene.scrollTo(0, 0);
      latest.scrollIntoView({ block: latest.clientHeight > scene.clientHeight * 0.7 ? 'start' : 'nearest' });
    });
    watching.observe(current); // the change is read from the server and comes later than its frame
    return () => watching.disconnect();
  }, []);
  return (
    <div class="scene" aria-live="polite">
      <p class="say">
        <span class="step-number">{step.step}</span>
        <bdi>{step.say}</bdi>
      </p>
      <div class="scene-body">
        <div class={`scene-main ${beat === 'changed' ? 'is-changed' : ''}`} ref={parts}>
          {beat !== 'said' && <Asked step={step} shown={shown} />}
          {(beat === 'answered' || beat === 'changed') && shown && hasResponse(shown) && <RawResponse shown={shown} />}
          {beat === 'changed' && shown && (
            <div class="scene-part changed-part">
              <h3>What changed</h3>
              <ChangesView
                sandbox={sandbox}
                at={shown.before}
                patch={shown.patch}
                more={shown.more}
                none="Nothing changed."
              />
            </div>
          )}
        </div>
        {shown && beat !== 'said' && <Decided shown={shown} ledger={ledger} />}
      </div>
    </div>
  );
}

function Asked({ step: { as, request }, shown }: { readonly step: PreviewStep; readonly shown: Shown | undefined }) {
  if (request === undefined) return null;
  const { method, url, request: sent } = shown?.entry ?? { method: request.method, url: request.path, request };
  return (
    <div class="scene-part asked-part">
      <h3>
        Request <span class="muted">{as === undefined ? '' : `as ${as}`}</span>
      </h3>
      <p class="scene-address">
        <span class={`method ${method.toLowerCase()}`}>{method}</span>{' '}
        <bdi>{brokenAt(url.replace(/^\/~[^/]+/, ''))}</bdi>
      </p>
      {sent.body && <BodyText text={prettyText(sent.body)} />}
    </div>
  );
}

/** Lines that fit in full size. */
const MAX_LINES = 12;
const MAX_CHARS = 10_000;

function BodyText({ text }: { readonly text: string }) {
  const shown = text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
  return (
    <pre class={shown.split('\n').length > MAX_LINES ? 'is-long' : ''}>
      <Highlighted text={shown} />
    </pre>
  );
}

/** An address that may wrap before each of its parts. */
function brokenAt(url: string) {
  return url.split(/(?=[?&/])/).map((part, i) => (
    <Fragment key={`${i} ${part}`}>
      {i > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

/** A step without a request has something to show here only if it failed. */
function hasResponse({ played, entry }: Shown): boolean {
  return entry !== undefined || played.connection !== undefined || played.outcome === 'failed';
}

function RawResponse({ shown: { played, entry } }: { readonly shown: Shown }) {
  const { outcome, differences, connection, status = entry?.response.status } = played;
  return (
    <div class={`scene-part answered-part ${outcome === 'failed' ? 'is-failed' : ''}`}>
      <h3>Response</h3>
      {connection === 'broken' ? (
        <p class="scene-status refused">The connection was closed</p>
      ) : (
        <p class={`scene-status ${status !== undefined && status < 400 ? 'good' : 'refused'}`}>
          {status} <span class="muted">{status === undefined ? '' : reasons[status]}</span>
        </p>
      )}
      {connection !== 'broken' && entry?.response.body && <BodyText text={prettyText(entry.response.body)} />}
      {outcome === 'failed' && (
        <ul class="differences">
          {differences.map(({ of, pointer, says, expected, found }) => (
            <li key={`${of}${pointer}`}>
              <strong>
                {of} {pointer}
              </strong>{' '}
              {says}
              {expected !== undefined && (
                <span class="muted">
                  {' '}
                  expected {prettyJson(expected).slice(0, 200)}, found {prettyJson(found).slice(0, 200)}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

function Decided({ shown: { played }, ledger }: { readonly shown: Shown; readonly ledger: Ledger | undefined }) {
  const rules = played.rules.filter(rule => !rule.startsWith('address.'));
  const told = rules.length > 0 ? rules : played.rules;
  const gaps = guessesOf(played.gaps);
  return (
    <aside class="decided" aria-label="Reasons">
      {told.length > 0 && <h3>Decided by the document</h3>}
      {told.map(rule => (
        <div class="reason rule" key={rule}>
          <code>{rule}</code>
          <p>
            <Prose text={ledger?.rules.find(({ id }) => id === rule)?.says ?? ''} />
          </p>
        </div>
      ))}
      {gaps.length > 0 && <h3>Guessed</h3>}
      {gaps.map(gap => (
        <div class="reason guess" key={gap}>
          <code>
            {gap}={played.gaps[gap]}
          </code>
          <p>
            <Prose text={ledger?.gaps.find(({ id }) => id === gap)?.asks ?? ''} />
          </p>
        </div>
      ))}
      {played.fault !== undefined && <h3>Injected fault</h3>}
      {played.fault !== undefined && (
        <div class="reason fault">
          <code>{played.fault}</code>
          <p>The scenario armed it. No rule of the document decided this response.</p>
        </div>
      )}
      {played.stub !== undefined && <h3>Stub</h3>}
      {played.stub !== undefined && (
        <div class="reason fault">
          <code>{played.stub}</code>
          <p>The scenario has it. The fake does not model this request.</p>
        </div>
      )}
    </aside>
  );
}
