// One step on the stage: what is said, asked, answered and changed, each in its place from the start, with the reasons at the side.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { PreviewStep } from '../client/wire.js';
import { readLedger } from '../live/sandbox.js';
import { ChangesView } from '../parts/changes/changes-view.js';
import { prettyJson, prettyText } from '../parts/json/json-text.js';
import { Highlighted } from '../parts/json/json-view.js';
import { Reason } from '../parts/reason.js';
import { useResource } from '../parts/resource.js';
import { guessesOf, isTelling } from '../requests/filter.js';
import type { Performance, ShownStep } from './performance.js';

/** Nothing moves when a part appears: it was there, unseen. */
export function Scene({ performance, step }: { readonly performance: Performance; readonly step: PreviewStep }) {
  const beat = performance.beat.value;
  const shown = performance.shown.value;
  const latest = useRef<HTMLDivElement>(null);
  const isAnswered = beat === 'answered' || beat === 'changed';
  const hasRequest = step.request !== undefined;
  useEffect(() => {
    if (beat !== 'said') latest.current?.querySelector(`.${beat}-part`)?.scrollIntoView({ block: 'nearest' }); // on a phone
  }, [beat]);
  return (
    <div class="scene" aria-live="polite">
      <p class="say">
        <span class="step-number">{step.step}</span>
        <bdi>{step.say}</bdi>
      </p>
      <div class={`scene-body ${hasRequest ? '' : 'is-silent'}`} ref={latest}>
        <div class="scene-column">
          {hasRequest && (
            <Part of="asked" isShown={beat !== 'said'}>
              <Asked step={step} shown={shown} />
            </Part>
          )}
          {(hasRequest || (shown && hasResponse(shown))) && (
            <Part of="answered" isShown={isAnswered} isFailed={shown?.played.outcome === 'failed'}>
              {shown && hasResponse(shown) && <RawResponse shown={shown} />}
            </Part>
          )}
        </div>
        <div class="scene-column">
          <Part of="changed" isShown={beat === 'changed'}>
            <h3>What changed</h3>
            {beat === 'changed' && shown && (
              <ChangesView at={shown.before} patch={shown.patch} more={shown.more} none="Nothing changed." />
            )}
          </Part>
          {hasRequest && <Decided shown={isAnswered ? shown : undefined} />}
        </div>
      </div>
    </div>
  );
}

interface PartProps {
  readonly of: string;
  readonly isShown: boolean;
  readonly isFailed?: boolean;
  readonly children: ComponentChildren;
}

function Part({ of, isShown, isFailed = false, children }: PartProps) {
  return (
    <section
      class={`scene-part ${of}-part ${isShown ? '' : 'is-pending'} ${isFailed ? 'is-failed' : ''}`}
      aria-label={of}
      tabIndex={isShown ? 0 : undefined} // it scrolls, and has to be reached by keys
    >
      {children}
    </section>
  );
}

interface AskedProps {
  readonly step: PreviewStep;
  readonly shown: ShownStep | undefined;
}

function Asked({ step: { as, request }, shown }: AskedProps) {
  if (request === undefined) return null;
  const { method, url, request: sent } = shown?.entry ?? { method: request.method, url: request.path, request };
  return (
    <>
      <h3>
        Request <span class="muted">{as === undefined ? '' : `as ${as}`}</span>
      </h3>
      <p class="scene-address">
        <span class={`method ${method.toLowerCase()}`}>{method}</span> <bdi>{url.replace(/^\/~[^/]+/, '')}</bdi>
      </p>
      {sent.body && <BodyText text={prettyText(sent.body)} />}
    </>
  );
}

/** Lines that fit in full size at 1280 × 720. */
const MAX_LINES = 4;
const MAX_CHARS = 10_000;

function BodyText({ text }: { readonly text: string }) {
  const shown = text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
  return (
    <pre class={shown.split('\n').length > MAX_LINES ? 'is-long' : ''}>
      <Highlighted text={shown} />
    </pre>
  );
}

/** A step without a request has something to show here only if it failed. */
function hasResponse({ played, entry }: ShownStep): boolean {
  return entry !== undefined || played.connection !== undefined || played.outcome === 'failed';
}

function RawResponse({ shown: { played, entry } }: { readonly shown: ShownStep }) {
  const { outcome, differences, connection, status = entry?.response.status } = played;
  return (
    <>
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
    </>
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

function Decided({ shown }: { readonly shown: ShownStep | undefined }) {
  const ledger = useResource(readLedger).value;
  if (shown === undefined) return <div class="decided" />;
  const { played } = shown;
  const rules = played.rules.filter(isTelling);
  const deciding = rules.length > 0 ? rules : played.rules;
  const gaps = guessesOf(played.gaps);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to be reached by keys
    <aside class="decided" aria-label="Reasons" tabIndex={0}>
      {gaps.length > 0 && <h3>Guessed</h3>}
      <ul class="reasons">
        {gaps.map(gap => (
          <Reason
            key={gap}
            kind="guess"
            name={`${gap}=${played.gaps[gap]}`}
            text={ledger?.gaps.find(({ id }) => id === gap)?.asks}
          />
        ))}
      </ul>
      {deciding.length > 0 && <h3>Decided by the document</h3>}
      <ul class="reasons">
        {deciding.map(rule => (
          <Reason key={rule} kind="rule" name={rule} text={ledger?.rules.find(({ id }) => id === rule)?.says} />
        ))}
      </ul>
      {(played.fault ?? played.stub) !== undefined && <h3>From the scenario</h3>}
      <ul class="reasons">
        {played.fault !== undefined && (
          <Reason kind="fault" name={`fault ${played.fault}`} text="No rule of the document decided this response." />
        )}
        {played.stub !== undefined && (
          <Reason kind="fault" name={`stub ${played.stub}`} text="The fake does not model this request." />
        )}
      </ul>
    </aside>
  );
}
