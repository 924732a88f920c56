// One entry: what was asked and answered, the rules and guesses that decided it, and what changed.
import { useComputed } from '@preact/signals';
import type { Entry, Explanation } from '../client/wire.js';
import { goTo, linkTo, route } from '../live/route.js';
import { client, entries } from '../live/sandbox.js';
import { ChangesView } from '../parts/changes-view.js';
import { CopyButton } from '../parts/copy-button.js';
import { Instant } from '../parts/instant.js';
import { JsonView, prettyText } from '../parts/json-view.js';
import { ProblemNote } from '../parts/problem-note.js';
import { Prose } from '../parts/prose.js';
import { useResource } from '../parts/resource.js';
import { StatusBadge } from '../parts/status-badge.js';
import { curlOf } from './curl.js';
import { guessesOf } from './filter.js';
import { ForwardedAnswer } from './forwarded-answer.js';
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
          <span class="muted">#{id}</span> {entry && <bdi>{entry.operation ?? `${entry.method} ${entry.url}`}</bdi>}
        </h2>
        <button type="button" class="quiet" aria-label="Close" onClick={() => goTo({ view: 'requests' })}>
          ✕
        </button>
      </header>
      <div class="detail-body">
        {entry === undefined ? (
          read.value.value && <p class="muted">There is no such entry, or it is kept no longer.</p>
        ) : (
          <Shown entry={entry} explanation={explained.value.value} sandbox={sandbox} />
        )}
        <ProblemNote error={entry && explained.error.value} />
      </div>
    </section>
  );
}

interface ShownProps {
  readonly entry: Entry;
  readonly explanation: Explanation | undefined;
  readonly sandbox: string;
}

function Shown({ entry, explanation, sandbox }: ShownProps) {
  const { request, answer, caller, at, forwarded } = entry;
  return (
    <>
      <div class="summary">
        <StatusBadge status={answer.status} />
        <code class="address">
          {entry.method} <bdi>{entry.url}</bdi>
        </code>
        <span class="muted">
          {forwarded === undefined || caller !== undefined ? (
            <>
              by <bdi>{caller ?? 'nobody asked who'}</bdi>{' '}
            </>
          ) : null}
          at <Instant at={at} withDay />
        </span>
        <span class="actions">
          <CopyButton text={() => curlOf(entry, location.origin)}>Copy as curl</CopyButton>
          {(entry.forwarded === undefined || entry.operation !== undefined) && (
            <CopyButton text={() => client.in(sandbox).scenario({ from: entry.id, to: entry.id })}>
              Copy as a step
            </CopyButton>
          )}
          <CopyButton text={() => location.href}>Copy link</CopyButton>
        </span>
      </div>
      <Hints entry={entry} />
      {(forwarded === undefined || forwarded.departs !== undefined) && (
        <div class="bodies">
          <Body title="Request" body={request.body} none={request.unread?.kind ?? 'no body'} />
          <Body title="Answer" body={answer.body} none="no body" />
        </div>
      )}
      {forwarded === undefined ? (
        <Decided entry={entry} explanation={explanation} sandbox={sandbox} />
      ) : (
        <ForwardedAnswer forwarded={forwarded} />
      )}
    </>
  );
}

/** What of this fake decided the answer, and what it changed. */
function Decided({ entry, explanation, sandbox }: ShownProps) {
  const { before, version } = entry;
  const gaps = explanation?.gaps ?? [];
  const own = guessesOf(entry.gaps);
  const guesses = entry.operation === undefined ? gaps : gaps.filter(({ gap }) => own.includes(gap));
  const ofAddress = gaps.filter(guess => !guesses.includes(guess));
  return (
    <>
      {entry.fault !== undefined && (
        <div class="card fault-card">
          <h3>Fault</h3>
          <p>{entry.fault}. The answer was replaced or broken on purpose, and proves nothing.</p>
        </div>
      )}
      <h3>Rules that decided</h3>
      <Rules explanation={explanation} rules={entry.rules.filter(isTelling)} none="None but where it was found." />
      {guesses.length > 0 && (
        <>
          <h3>Guesses that decided</h3>
          <Guesses entry={entry} gaps={guesses} sandbox={sandbox} />
        </>
      )}
      <h3>
        What changed{' '}
        {version !== before && (
          <a href={linkTo({ view: 'world', query: { from: String(before), to: String(version) } })}>
            version {before} → {version}
          </a>
        )}
      </h3>
      <Effect entry={entry} sandbox={sandbox} />
      {(entry.rules.some(rule => !isTelling(rule)) || ofAddress.length > 0) && (
        <details class="address-rules">
          <summary>How the address was found</summary>
          <Rules explanation={explanation} rules={entry.rules.filter(rule => !isTelling(rule))} none="" />
          <Guesses entry={entry} gaps={ofAddress} sandbox={sandbox} />
        </details>
      )}
    </>
  );
}

function Body({
  title,
  body,
  none,
}: {
  readonly title: string;
  readonly body: string | undefined;
  readonly none: string;
}) {
  return (
    <div class="body">
      <h3>{title}</h3>
      {body === undefined || body === '' ? (
        <p class="muted code-none">{none}</p>
      ) : (
        <JsonView text={prettyText(body)} label={title} />
      )}
    </div>
  );
}

/** Where an operation was found is told apart. */
const isTelling = (rule: string) => !rule.startsWith('address.');

interface RulesProps {
  readonly explanation: Explanation | undefined;
  readonly rules: readonly string[];
  readonly none: string;
}

function Rules({ explanation, rules, none }: RulesProps) {
  if (rules.length === 0) return <p class="muted">{none}</p>;
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
    () => (facts.length === 0 ? undefined : client.in(sandbox).diff(before, version)),
    [sandbox, entry.id],
  );
  if (facts.length === 0) return <p class="muted">Nothing.</p>;
  const found = difference.value.value;
  if (found === undefined) return <ProblemNote error={difference.error.value} />;
  return <ChangesView sandbox={sandbox} at={before} patch={found.patch} none="Nothing that can be seen." />;
}

/** What a reader would otherwise search for. */
function Hints({ entry }: { readonly entry: Entry }) {
  const {
    nearest,
    unproved,
    unasked,
    unknownQuery = [],
    repeatedQuery = [],
    unreadFields = [],
    otherCase = [],
    leaked,
  } = entry;
  const hints = [
    ...(nearest === undefined ? [] : [`There is nothing at this path. It probably meant ${nearest}.`]),
    ...(unproved === undefined ? [] : [`The credentials were rejected: ${unproved}.`]),
    ...(unasked === undefined ? [] : [`${unasked} sent credentials, and they did not count.`]),
    ...unknownQuery.map(name => `The operation has no query parameter ${name}.`),
    ...repeatedQuery.map(name => `The query parameter ${name} came more than once: the first counted.`),
    ...unreadFields.map(pointer => `Nothing read ${pointer === '' ? 'the body' : `the field ${pointer} of the body`}.`),
    ...otherCase.map(({ at, sent, known }) => `${at} says ${sent}, and there is ${known}: names are case-sensitive.`),
    ...(leaked ? ['It named no sandbox while another than default was in use.'] : []),
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
