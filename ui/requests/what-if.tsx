// The guesses that decided an entry, with the response and the world under other readings.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Entry, Explanation, Guess, Json } from '../client/wire.js';
import { here, readLedger } from '../live/sandbox.js';
import { Button } from '../parts/button.js';
import { ChangesView } from '../parts/changes/changes-view.js';
import { ComparedText } from '../parts/changes/compared.js';
import { Loaded } from '../parts/empty-state.js';
import { prettyJson } from '../parts/json/json-text.js';
import { ProblemNote } from '../parts/problem-note.js';
import { Prose } from '../parts/prose.js';
import { Reason } from '../parts/reason.js';
import { useAction, useResource } from '../parts/resource.js';
import { Status } from '../parts/status-badge.js';
import { undoable } from '../parts/undo.js';

export function Guesses({ entry, gaps }: { readonly entry: Entry; readonly gaps: readonly Guess[] }) {
  return (
    <ul class="reasons">
      {gaps.map(guess => (
        <GuessItem key={guess.gap} guess={guess} entry={entry} />
      ))}
    </ul>
  );
}

function GuessItem({ guess, entry }: { readonly guess: Guess; readonly entry: Entry }) {
  const chosen = useSignal<string | undefined>(undefined);
  const statements = useResource(readLedger).value?.statements ?? {};
  const { gap, asks, source, reading: own, means, others = [] } = guess;
  return (
    <Reason kind="guess" name={gap} text={asks}>
      <p class="source">
        Open in the document ({source}):{' '}
        <Prose text={guess.statements.map(number => statements[number] ?? '').join(' ')} />
      </p>
      <ul class="readings">
        <li class="reading is-own">
          <span class="reading-name">{own}</span>
          <span>
            <Prose text={means} />
          </span>
          <Status status={entry.response.status} />
        </li>
        {others.map(({ reading, means: meaning, status, same }) => {
          const isChosen = chosen.value === reading;
          return (
            <li class={`reading ${isChosen ? 'is-chosen' : ''}`} key={reading}>
              <button
                type="button"
                class="what-if"
                aria-expanded={isChosen}
                onClick={() => (chosen.value = isChosen ? undefined : reading)}
              >
                <span class="reading-name">{reading}</span>
                <span>
                  <Prose text={meaning} />
                </span>
                {same ? <span class="badge same">same response</span> : <Status status={status} />}
                <span class="what-if-label">What if?</span>
              </button>
            </li>
          );
        })}
      </ul>
      {chosen.value !== undefined && <WhatIf entry={entry} gap={gap} reading={chosen.value} />}
    </Reason>
  );
}

interface WhatIfProps {
  readonly entry: Entry;
  readonly gap: string;
  readonly reading: string;
}

function WhatIf({ entry, gap, reading }: WhatIfProps) {
  const inSandbox = here();
  const explained = useResource(() => inSandbox.explain(entry.id, { [gap]: reading }), [entry.id, gap, reading]);
  const { error, isBusy, run } = useAction();
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => shown.current?.scrollIntoView({ block: 'nearest' }), [explained.value]);
  const use = () => run(() => undoable(`${gap}: ${reading}`, () => inSandbox.choose({ [gap]: reading })));
  return (
    <Loaded of={explained}>
      {({ response, under = { response, patch: {} } }) => {
        const [was, would] = [textOf(response), textOf(under.response)];
        return (
          <div class="what-if-shown" ref={shown}>
            <Button class="primary" isBusy={isBusy} onClick={use}>
              Use this reading
            </Button>
            <ProblemNote error={error} />
            <div class="bodies">
              <ComparedText title="Actual response" text={was} other={would} />
              <ComparedText title={`With ${gap}=${reading}`} text={would} other={was} />
            </div>
            <h4>What would have changed</h4>
            <ChangesView at={entry.before} patch={under.patch} none="Nothing would have changed." />
          </div>
        );
      }}
    </Loaded>
  );
}

function textOf({ status, body }: Explanation['response']): string {
  return body === undefined ? `${status}` : `${status}\n${prettyJson(body as Json)}`;
}
