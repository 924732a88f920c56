// One entry: request, response, changes, deciding rules and guesses.
import { signal, useComputed } from '@preact/signals';
import type { Entry, Explanation, Guess } from '../client/wire.js';
import { goTo, linkTo, route } from '../live/route.js';
import { client, entries, settingsChanges } from '../live/sandbox.js';
import { Button } from '../parts/button.js';
import { ChangesView, MAX_RECORDS } from '../parts/changes/changes-view.js';
import { CopyButton } from '../parts/copy-button.js';
import { EmptyState } from '../parts/empty-state.js';
import { labelOf } from '../parts/form/schema.js';
import { Instant } from '../parts/instant.js';
import { JsonView, prettyText } from '../parts/json/json-view.js';
import { ProblemNote } from '../parts/problem-note.js';
import { Prose } from '../parts/prose.js';
import { useAction, useResource } from '../parts/resource.js';
import { StatusBadge } from '../parts/status-badge.js';
import { writing } from '../readings/armed-panel.js';
import { faultText } from '../readings/fault-text.js';
import { aboutRequest } from './about.js';
import { curlOf } from './curl.js';
import { guessesOf, isTelling } from './filter.js';
import { ForwardedResponse } from './forwarded-response.js';
import { repeat } from './repeat.js';
import { stepsOf } from './step-text.js';
import { Guesses } from './what-if.js';

export function EntryDetail({ id }: { readonly id: number }) {
  const { sandbox } = route.value;
  const known = useComputed(() => entries.value.find(entry => entry.id === id));
  const read = useResource(() => client.in(sandbox).journal({ entry: id }), [sandbox, id]);
  const entry = read.value.value?.entries[0] ?? known.value;
  const isOwn = entry !== undefined && entry.forwarded === undefined;
  const explained = useResource(() => (isOwn ? client.in(sandbox).explain(id) : undefined), [sandbox, id, isOwn]);
  return (
    <section class="pane detail" aria-label={`Request ${id}`}>
      <header class="detail-head">
        <a class="quiet button back" href={linkTo({ view: 'requests' })} aria-label="Back to the list">
          ←
        </a>
        <h2>
          <span class="muted">#{id}</span> {entry && <bdi title={entry.url}>{aboutRequest(entry)}</bdi>}
        </h2>
        <button type="button" class="quiet" aria-label="Close" onClick={() => goTo({ view: 'requests' })}>
          ✕
        </button>
      </header>
      <div class="detail-body">
        {entry === undefined ? (
          read.value.value && <EmptyState isSmall title={`Request ${id} doesn't exist or is no longer kept.`} />
        ) : (
          <Shown
            entry={entry}
            explanation={explained.value.value}
            isLoading={explained.isLoading.value && isOwn}
            sandbox={sandbox}
          />
        )}
        <ProblemNote error={entry && explained.error.value} />
      </div>
    </section>
  );
}

interface ShownProps {
  readonly entry: Entry;
  readonly explanation: Explanation | undefined;
  /** Whether the explanation is still to come. */
  readonly isLoading: boolean;
  readonly sandbox: string;
}

function Shown({ entry, explanation, isLoading, sandbox }: ShownProps) {
  const { request, response, caller, at, forwarded, ignoredCaller, duration = forwarded?.duration } = entry;
  const { error, isBusy, run } = useAction();
  const again = () =>
    run(async () => {
      goTo({ view: 'requests', rest: [String(await repeat(entry, sandbox))] });
    });
  return (
    <>
      <ProblemNote error={error.value} />
      <div class="summary">
        <StatusBadge entry={entry} />
        <code class="address">
          {entry.method} <bdi>{entry.url}</bdi>
        </code>
        <span class="muted">
          {caller !== undefined && (
            <>
              by <bdi>{caller}</bdi> ·{' '}
            </>
          )}
          {caller === undefined && forwarded === undefined && (
            <>
              caller not checked
              {ignoredCaller !== undefined && (
                <>
                  {' '}
                  (credentials of <bdi>{ignoredCaller}</bdi>)
                </>
              )}{' '}
              ·{' '}
            </>
          )}
          <Instant at={at} withDay /> UTC{duration !== undefined && ` · ${duration.toLocaleString('en')} ms`}
        </span>
        <span class="actions">
          <Button class="quiet" isBusy={isBusy.value} onClick={again}>
            Repeat
          </Button>
          {entry.operation === undefined && forwarded === undefined && (
            <Button class="quiet" onClick={() => stubFor(entry)}>
              Make a stub
            </Button>
          )}
          <CopyButton text={() => curlOf(entry, location.origin)}>Copy as curl</CopyButton>
          {(entry.forwarded === undefined || entry.operation !== undefined) && (
            <CopyButton text={async () => stepsOf(await client.in(sandbox).scenario({ from: entry.id, to: entry.id }))}>
              Copy as a step
            </CopyButton>
          )}
          <CopyButton text={() => location.href}>Copy link</CopyButton>
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
          <Changed entry={entry} sandbox={sandbox} />
          <Decided entry={entry} explanation={explanation} isLoading={isLoading} sandbox={sandbox} />
        </>
      ) : (
        <ForwardedResponse forwarded={forwarded} />
      )}
    </>
  );
}

function Changed({ entry, sandbox }: { readonly entry: Entry; readonly sandbox: string }) {
  const { before, version, facts } = entry; // without facts, a version counts only what a fault matched
  return (
    <>
      <h3>
        Changes{' '}
        {facts.length > 0 && (
          <a href={linkTo({ view: 'world', query: { from: String(before), to: String(version) } })}>
            version {before} → {version}
          </a>
        )}
      </h3>
      <Effect entry={entry} sandbox={sandbox} />
    </>
  );
}

/** What decided the response, the cause of a refusal first. */
function Decided({ entry, explanation, isLoading, sandbox }: ShownProps) {
  if (isLoading)
    return (
      <p class="muted loading" role="status">
        Loading what decided it…
      </p>
    );
  const gaps = (explanation?.gaps ?? []).toReversed(); // the last one that was asked for ended the request
  const own = guessesOf(entry.gaps);
  const guesses = entry.operation === undefined ? gaps : gaps.filter(({ gap }) => own.includes(gap));
  const causesFirst = [
    ...guesses.filter(guess => isCause(guess, entry)),
    ...guesses.filter(guess => !isCause(guess, entry)),
  ];
  const ofAddress = gaps.filter(guess => !guesses.includes(guess));
  const rules = entry.rules.filter(isTelling);
  const isGuessed = guesses.some(guess => isCause(guess, entry));
  const shownGuesses = guesses.length > 0 && (
    <>
      <h3>Deciding guesses</h3>
      <Guesses entry={entry} gaps={causesFirst} sandbox={sandbox} />
    </>
  );
  return (
    <>
      {entry.fault !== undefined && (
        <div class="card fault-card">
          <h3>Injected fault</h3>
          <p>
            <FaultNote name={entry.fault} sandbox={sandbox} /> The response was replaced or broken on purpose and is no
            evidence.
          </p>
        </div>
      )}
      {entry.stub !== undefined && (
        <div class="card fault-card">
          <h3>Stub</h3>
          <p>Stub {entry.stub}. The fake does not model this request, so the response is no evidence.</p>
        </div>
      )}
      {isGuessed && shownGuesses}
      <h3>Deciding rules</h3>
      <Rules
        explanation={explanation}
        rules={entry.refused === undefined ? rules : rules.toReversed()}
        none="Only rules about the address."
      />
      {!isGuessed && shownGuesses}
      {(entry.rules.some(rule => !isTelling(rule)) || ofAddress.length > 0) && (
        <details class="address-rules">
          <summary>How the address was resolved</summary>
          <Rules explanation={explanation} rules={entry.rules.filter(rule => !isTelling(rule))} none="" />
          <Guesses entry={entry} gaps={ofAddress} sandbox={sandbox} />
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
function FaultNote({ name, sandbox }: { readonly name: string; readonly sandbox: string }) {
  const [number = '', ...effects] = name.split(' ');
  const read = useResource(() => client.in(sandbox).faults(), [sandbox, settingsChanges.value]);
  const fault = read.value.value?.faults[Number(number) - 1];
  const isSame = fault !== undefined && Object.keys(fault.effect).join() === effects.join();
  return (
    <>
      Fault {number}: {isSame ? faultText(fault) : effects.map(labelOf).join(', ').toLowerCase()}.
    </>
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

interface RulesProps {
  readonly explanation: Explanation | undefined;
  readonly rules: readonly string[];
  readonly none: string;
}

function Rules({ explanation, rules, none }: RulesProps) {
  if (rules.length === 0) return none === '' ? null : <EmptyState isSmall title={none} />;
  return (
    <ul class="reasons">
      {rules.map(id => {
        const told = explanation?.rules.find(({ rule }) => rule === id);
        return (
          <li class="reason rule" key={id}>
            <code>{id}</code>
            <p>
              <Prose text={told?.says ?? ''} />
            </p>
            <p class="source">{told && `The document, ${told.statements.join(', ')} (${told.source})`}</p>
          </li>
        );
      })}
    </ul>
  );
}

function Effect({ entry, sandbox }: { readonly entry: Entry; readonly sandbox: string }) {
  const { before, version, facts } = entry;
  const difference = useResource(
    () => (facts.length === 0 ? undefined : client.in(sandbox).diff(before, version, MAX_RECORDS)),
    [sandbox, entry.id],
  );
  if (facts.length === 0) return <EmptyState isSmall title="No changes." />;
  const found = difference.value.value;
  if (found === undefined)
    return difference.isLoading.value ? (
      <EmptyState isSmall title="Loading…" />
    ) : (
      <ProblemNote error={difference.error.value} />
    );
  return <ChangesView sandbox={sandbox} at={before} patch={found.patch} more={found.more} none="No visible changes." />;
}

/** Hints about the request. */
function Hints({ entry }: { readonly entry: Entry }) {
  const {
    nearest,
    credentialsProblem,
    unknownQuery = [],
    repeatedQuery = [],
    ignoredFields = [],
    caseMismatches = [],
    leaked,
  } = entry;
  const { misspelledFields = [], nearestStub, warnings = [] } = entry;
  const hints = [
    ...(nearest === undefined ? [] : [`Unknown path. Did you mean ${nearest}?`]),
    ...(nearestStub === undefined ? [] : [nearestStub]),
    ...(credentialsProblem === undefined ? [] : [`Wrong credentials: ${credentialsProblem}.`]),
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
    ...(leaked ? ['The request named no sandbox while others than default were in use.'] : []),
  ];
  if (hints.length === 0) return null;
  return (
    <ul class="hints">
      {hints.map(hint => (
        <li key={hint}>{hint}</li>
      ))}
    </ul>
  );
}
