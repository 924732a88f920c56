// The guesses that decided an entry, with the response and the world under other readings.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Entry, Explanation, Guess, Json, OtherReading } from '../client/wire.js';
import { readLedger } from '../live/ledger.js';
import { client } from '../live/sandbox.js';
import { Button } from '../parts/button.js';
import { ChangesView } from '../parts/changes/changes-view.js';
import { ComparedText, comparedLines } from '../parts/changes/compared.js';
import { EmptyState } from '../parts/empty-state.js';
import { prettyJson } from '../parts/json/json-view.js';
import { ProblemNote } from '../parts/problem-note.js';
import { Prose } from '../parts/prose.js';
import { useAction, useResource } from '../parts/resource.js';
import { Status } from '../parts/status-badge.js';
import { undoable } from '../parts/undo.js';

interface Props {
  readonly entry: Entry;
  readonly gaps: readonly Guess[];
  readonly sandbox: string;
}

export function Guesses({ entry, gaps, sandbox }: Props) {
  return (
    <ul class="reasons">
      {gaps.map(guess => (
        <GuessItem key={guess.gap} guess={guess} entry={entry} sandbox={sandbox} />
      ))}
    </ul>
  );
}

function GuessItem({
  guess,
  entry,
  sandbox,
}: {
  readonly guess: Guess;
  readonly entry: Entry;
  readonly sandbox: string;
}) {
  const chosen = useSignal<string | undefined>(undefined);
  const { gap, asks, source, reading, means, others = [] } = guess;
  return (
    <li class="reason guess">
      <code>{gap}</code>
      <p>
        <Prose text={asks} />
      </p>
      <p class="source">
        Open in the document ({source}): <Statements numbers={guess.statements} />
      </p>
      <ul class="readings">
        <li class="reading is-own">
          <span class="reading-name">{reading}</span>
          <span>
            <Prose text={means} />
          </span>
          <Status status={entry.response.status} />
        </li>
        {others.map(other => (
          <Other
            key={other.reading}
            other={other}
            isChosen={chosen.value === other.reading}
            onChoose={() => (chosen.value = chosen.peek() === other.reading ? undefined : other.reading)}
          />
        ))}
      </ul>
      {chosen.value !== undefined && <WhatIf entry={entry} gap={gap} reading={chosen.value} sandbox={sandbox} />}
    </li>
  );
}

/** What the document says there. */
function Statements({ numbers }: { readonly numbers: readonly string[] }) {
  const known = useResource(readLedger, []).value.value?.statements ?? {};
  return <Prose text={numbers.map(number => known[number] ?? '').join(' ')} />;
}

interface OtherProps {
  readonly other: OtherReading;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Other({ other: { reading, means, status, same }, isChosen, onChoose }: OtherProps) {
  return (
    <li class={`reading ${isChosen ? 'is-chosen' : ''}`}>
      <button type="button" class="what-if" aria-expanded={isChosen} onClick={onChoose}>
        <span class="reading-name">{reading}</span>
        <span>
          <Prose text={means} />
        </span>
        {same ? <span class="badge same">same response</span> : <Status status={status} />}
        <span class="what-if-label">What if?</span>
      </button>
    </li>
  );
}

interface WhatIfProps {
  readonly entry: Entry;
  readonly gap: string;
  readonly reading: string;
  readonly sandbox: string;
}

function WhatIf({ entry, gap, reading, sandbox }: WhatIfProps) {
  const explained = useResource(
    () => client.in(sandbox).explain(entry.id, { [gap]: reading }),
    [sandbox, entry.id, gap, reading],
  );
  const { error, isBusy, run } = useAction();
  const shown = useRef<HTMLDivElement>(null);
  const explanation = explained.value.value;
  const isShown = explanation !== undefined;
  useEffect(() => shown.current?.scrollIntoView({ block: 'nearest' }), [isShown, reading]);
  const use = () =>
    run(() =>
      undoable(`${gap}: ${reading}`, async () => {
        const inSandbox = client.in(sandbox);
        await inSandbox.choose({ ...(await inSandbox.readings()), [gap]: reading });
      }),
    );
  if (explanation?.under === undefined)
    return explained.isLoading.value ? (
      <EmptyState isSmall title="Loading…" />
    ) : (
      <ProblemNote error={explained.error.value} />
    );
  const { under } = explanation;
  const [was, would] = comparedLines(textOf(explanation.response), textOf(under.response));
  return (
    <div class="what-if-shown" ref={shown}>
      <Button class="primary" isBusy={isBusy.value} onClick={use}>
        Use this reading
      </Button>
      <ProblemNote error={error.value} />
      <div class="bodies">
        <div class="body">
          <h4>Actual response</h4>
          <ComparedText lines={was} label="Actual response" />
        </div>
        <div class="body">
          <h4>
            With{' '}
            <code>
              {gap}={reading}
            </code>
          </h4>
          <ComparedText lines={would} label="Response under the other reading" />
        </div>
      </div>
      <h4>What would have changed</h4>
      <ChangesView sandbox={sandbox} at={entry.before} patch={under.patch} none="Nothing would have changed." />
    </div>
  );
}

function textOf({ status, body }: Explanation['response']): string {
  return body === undefined ? `${status}` : `${status}\n${prettyJson(body as Json)}`;
}
