// One entry: request, response, changes, deciding rules and guesses.
import { signal, useComputed } from '@preact/signals';
import type { Entry, Explanation, Guess } from '../client/wire.js';
import { goTo, linkTo, route } from '../live/route.js';
import { entries, here, settingsChanges } from '../live/sandbox.js';
import { Button } from '../parts/button.js';
import { ChangesView, MAX_RECORDS } from '../parts/changes/changes-view.js';
import { CopyButton } from '../parts/copy-button.js';
import { Detail } from '../parts/detail.js';
import { EmptyState, Loaded } from '../parts/empty-state.js';
import { labelOf } from '../parts/form/schema.js';
import { Instant } from '../parts/instant.js';
import { prettyText } from '../parts/json/json-text.js';
import { JsonView } from '../parts/json/json-view.js';
import { ProblemNote } from '../parts/problem-note.js';
import { Reason } from '../parts/reason.js';
import { useAction, useResource } from '../parts/resource.js';
import { StatusBadge } from '../parts/status-badge.js';
import { writing } from '../readings/armed-panel.js';
import { armedText } from '../readings/fault-text.js';
import { aboutRequest } from './about.js';
import { curlOf } from './curl.js';
import { guessesOf, isTelling } from './filter.js';
import { ForwardedResponse } from './forwarded-response.js';
import { repeat } from './repeat.js';
import { stepsOf } from './step-text.js';
import { Guesses } from './what-if.js';

export function EntryDetail({ id }: { readonly id: number }) {
  const inSandbox = here();
  const known = useComputed(() => entries.value.find(entry => entry.id === id));
  const read = useResource(() => inSandbox.journal({ entry: id }), [id]);
  const entry = read.value?.entries[0] ?? known.value;
  return (
    <Detail
      label={`Request ${id}`}
      title={
        <>
          <span class="muted">#{id}</span> {entry && <bdi title={entry.url}>{aboutRequest(entry)}</bdi>}
        </>
      }
      list={linkTo({ view: 'requests', query: Object.fromEntries(route.value.query) })}
    >
      {entry !== undefined && <Shown entry={entry} />}
      {entry === undefined && (
        <Loaded of={read} title={`Loading request ${id}…`}>
          {() => <EmptyState isSmall title={`Request ${id} doesn't exist or is no longer kept.`} />}
        </Loaded>
      )}
    </Detail>
  );
}

function Shown({ entry }: { readonly entry: Entry }) {
  const { id, request, response, at, forwarded, operation, duration = forwarded?.duration } = entry;
  const inSandbox = here();
  const { error, isBusy, run } = useAction();
  const again = () =>
    run(async () => {
      goTo({ view: 'requests', rest: [String(await repeat(entry, inSandbox))] });
    });
  return (
    <>
      <ProblemNote error={error} />
      <div class="summary">
        <StatusBadge entry={entry} />
        <code class="address">
          {entry.method} <bdi>{entry.url}</bdi>
        </code>
        <span class="muted">
          {forwarded === undefined && <Caller entry={entry} />}
          <Instant at={at} withDay /> UTC{duration !== undefined && ` · ${duration.toLocaleString('en')} ms`}
        </span>
        <span class="actions">
          <Button class="quiet" isBusy={isBusy} onClick={again}>
            Repeat
          </Button>
          {operation === undefined && forwarded === undefined && (
            <Button class="quiet" onClick={() => stubFor(entry)}>
              Make a stub
            </Button>
          )}
          <CopyButton text={() => curlOf(entry, location.origin)}>Copy as curl</CopyButton>
          {(forwarded === undefined || operation !== undefined) && (
            <CopyButton text={async () => stepsOf(await inSandbox.scenario({ from: id, to: id }))}>
              Copy as a step
            </CopyButton>
          )}
        </span>
      </div>
      <Hints entry={entry} />
      {(forwarded === undefined || forwarded.violations !== undefined) && (
        <div class="bodies">
          <Message title="Request" {...request} none={unreadable[request.unread?.kind ?? 'absent']} />
          <Message title="Response" {...response} none="no body" />
        </div>
      )}
      {forwarded === undefined ? (
        <>
          <Changed entry={entry} />
          <Decided entry={entry} />
        </>
      ) : (
        <ForwardedResponse forwarded={forwarded} />
      )}
    </>
  );
}

function Caller({ entry: { caller, ignoredCaller } }: { readonly entry: Entry }) {
  const shown = caller ?? ignoredCaller;
  return (
    <>
      {caller === undefined ? 'caller not checked' : 'by '}
      {caller === undefined && shown !== undefined && ' (credentials of '}
      {shown !== undefined && <bdi>{shown}</bdi>}
      {caller === undefined && shown !== undefined && ')'} ·{' '}
    </>
  );
}

/** Without facts, a version counts only what a fault matched. */
function Changed({ entry: { id, before, version, facts } }: { readonly entry: Entry }) {
  const inSandbox = here();
  const isChanging = facts.length > 0;
  const difference = useResource(
    async () => (isChanging ? inSandbox.diff(before, version, MAX_RECORDS) : { patch: {}, more: 0 }),
    [id],
  );
  return (
    <>
      <h3>
        Changes{' '}
        {isChanging && (
          <a href={linkTo({ view: 'world', query: { from: String(before), to: String(version) } })}>
            version {before} → {version}
          </a>
        )}
      </h3>
      <Loaded of={difference}>
        {found => <ChangesView at={before} {...found} none={isChanging ? 'No visible changes.' : 'No changes.'} />}
      </Loaded>
    </>
  );
}

function Decided({ entry }: { readonly entry: Entry }) {
  const inSandbox = here();
  const explained = useResource(() => inSandbox.explain(entry.id), [entry.id]);
  return (
    <Loaded of={explained} title="Loading what decided it…">
      {explanation => <Reasons entry={entry} explanation={explanation} />}
    </Loaded>
  );
}

/** What decided the response, the cause of a refusal first. */
function Reasons({ entry, explanation }: { readonly entry: Entry; readonly explanation: Explanation }) {
  const gaps = explanation.gaps.toReversed(); // the last one that was asked for ended the request
  const own = guessesOf(entry.gaps);
  const guesses = entry.operation === undefined ? gaps : gaps.filter(({ gap }) => own.includes(gap));
  const causes = guesses.filter(guess => isCause(guess, entry));
  const ofAddress = gaps.filter(guess => !guesses.includes(guess));
  const rules = entry.rules.filter(isTelling);
  const addressRules = entry.rules.filter(rule => !isTelling(rule));
  const shownGuesses = guesses.length > 0 && (
    <>
      <h3>Deciding guesses</h3>
      <Guesses entry={entry} gaps={[...new Set([...causes, ...guesses])]} />
    </>
  );
  return (
    <>
      {entry.fault !== undefined && <FaultNote name={entry.fault} />}
      {entry.stub !== undefined && (
        <div class="card forwarded-card">
          <h3>Stub</h3>
          <p>Stub {entry.stub}. The fake does not model this request, so the response is no evidence.</p>
        </div>
      )}
      {causes.length > 0 && shownGuesses}
      <h3>Deciding rules</h3>
      {rules.length === 0 && <EmptyState isSmall title="Only rules about the address." />}
      <Rules explanation={explanation} rules={entry.refused === undefined ? rules : rules.toReversed()} />
      {causes.length === 0 && shownGuesses}
      {addressRules.length + ofAddress.length > 0 && (
        <details class="address-rules">
          <summary>How the address was resolved</summary>
          <Rules explanation={explanation} rules={addressRules} />
          <Guesses entry={entry} gaps={ofAddress} />
        </details>
      )}
    </>
  );
}

/** A stub for the path of a request that matched nothing. */
function stubFor({ method, url }: Entry): void {
  const [path = ''] = url.replace(/^\/~[^/]+/, '').split('?', 1);
  writing.value = { kind: 'stub', value: { path, method, status: 200, body: {} } };
  goTo({ view: 'readings' });
}

/** `Fault 1: respond 503, Retry-After: 2`, if the list still has it; otherwise only what it affects. */
function FaultNote({ name }: { readonly name: string }) {
  const [number = '', ...effects] = name.split(' ');
  const inSandbox = here();
  const read = useResource(inSandbox.faults, [], [settingsChanges.value]);
  const fault = read.value?.faults[Number(number) - 1];
  const isSame = fault !== undefined && Object.keys(fault.effect).join() === effects.join();
  return (
    <div class="card fault-card">
      <h3>Injected fault</h3>
      <p>
        Fault {number}: {isSame ? armedText(fault) : effects.map(labelOf).join(', ').toLowerCase()}. The response was
        changed, held or broken on purpose and is no evidence.
      </p>
    </div>
  );
}

/** Whether a refused request would have had another status under another reading. */
function isCause({ others = [] }: Guess, { refused, response: { status } }: Entry): boolean {
  return refused !== undefined && others.some(other => other.status !== status);
}

/** Why the text of a body is missing. */
const unreadable: Readonly<Record<NonNullable<Entry['request']['unread']>['kind'] | 'absent', string>> = {
  absent: 'no body',
  'not-json': 'no body',
  'not-utf8': 'a body that is not UTF-8, which is not kept',
  'too-large': 'a body that is too large to be kept',
  encoding: 'a body with an unknown encoding',
  'cut-short': 'a body that was cut short',
};

/** Whether this tab shows bodies as they were sent. */
const isRaw = signal(false);

interface MessageProps {
  readonly title: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
  readonly none: string;
}

function Message({ title, headers = {}, body = '', none }: MessageProps) {
  const names = Object.keys(headers);
  return (
    <div class="body">
      <h3>
        {title}
        {body !== '' && (
          <button type="button" class="quiet" aria-pressed={isRaw.value} onClick={() => (isRaw.value = !isRaw.value)}>
            As sent, {new TextEncoder().encode(body).length.toLocaleString('en')} bytes
          </button>
        )}
      </h3>
      {body === '' ? (
        <p class="muted code-none">{none}</p>
      ) : (
        <JsonView text={isRaw.value ? body : prettyText(body)} label={title} />
      )}
      {names.length > 0 && (
        <details class="headers">
          <summary>{names.length === 1 ? '1 header' : `${names.length} headers`}</summary>
          <pre>{names.map(name => `${name}: ${headers[name]}`).join('\n')}</pre>
        </details>
      )}
    </div>
  );
}

function Rules({ explanation, rules }: { readonly explanation: Explanation; readonly rules: readonly string[] }) {
  return (
    <ul class="reasons">
      {rules.map(id => {
        const known = explanation.rules.find(({ rule }) => rule === id);
        return (
          <Reason kind="rule" name={id} text={known?.says} key={id}>
            <p class="source">{known && `The document, ${known.statements.join(', ')} (${known.source})`}</p>
          </Reason>
        );
      })}
    </ul>
  );
}

/** Hints about the request. */
function Hints({ entry }: { readonly entry: Entry }) {
  const { nearest, nearestStub, credentialsProblem, leaked, unknownQuery = [], repeatedQuery = [] } = entry;
  const { ignoredFields = [], misspelledFields = [], caseMismatches = [], warnings = [] } = entry;
  const hints = [
    nearest && `Unknown path. Did you mean ${nearest}?`,
    nearestStub,
    credentialsProblem && `Wrong credentials: ${credentialsProblem}.`,
    ...unknownQuery.map(name => `Unknown query parameter ${name}.`),
    ...repeatedQuery.map(
      name => `Repeated query parameter ${name}: the gap repeated-parameter says which value counts.`,
    ),
    ...ignoredFields.map(pointer => (pointer === '' ? 'The body was ignored.' : `The field ${pointer} was ignored.`)),
    ...misspelledFields.map(({ at, meant }) => `Did you mean ${meant} by ${at}?`),
    ...warnings,
    ...caseMismatches.map(
      ({ at, sent, known }) => `${at} is ${sent}. Did you mean ${known}? Names are case-sensitive.`,
    ),
    leaked && 'The request named no sandbox while others than default were in use.',
  ].filter(hint => typeof hint === 'string');
  if (hints.length === 0) return null;
  return (
    <ul class="hints">
      {hints.map(hint => (
        <li key={hint}>{hint}</li>
      ))}
    </ul>
  );
}
