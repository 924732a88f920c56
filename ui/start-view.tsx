// The first page: what is served, how the client has done so far, and what to try next.
import { linkTo, route } from './live/route.js';
import { description, entries, here, readLedger, worldChanges } from './live/sandbox.js';
import { Loaded } from './parts/empty-state.js';
import { Prose } from './parts/prose.js';
import { useResource } from './parts/resource.js';
import { guessCounts, matching } from './requests/filter.js';
import { FirstRequest } from './requests/first-request.js';

export function StartView() {
  const { sandbox } = route.value;
  const inSandbox = here();
  const ledger = useResource(readLedger).value;
  const read = useResource(() => inSandbox.part({ collection: 'groups', limit: 0 }), [], [worldChanges.value]);
  const all = entries.value;
  const only = (kind: string) => matching(all, { text: '', operation: '', status: '', only: kind }).length;
  const most = [...guessCounts(all)].sort(([, a], [, b]) => b - a);
  return (
    <div class="start">
      <section class="card pane" aria-label="Served">
        <h2>
          <bdi>{description.value?.scenario}</bdi> is served at
        </h2>
        <ul class="rows">
          {['/rest/cwxapiextension/latest', '/rest/cwx-ppf/latest'].map(path => (
            <li key={path}>
              <code>{`${location.origin}${sandbox === 'default' ? '' : `/~${sandbox}`}${path}`}</code>
            </li>
          ))}
        </ul>
        <Loaded of={read}>
          {({ counts }) => (
            <p class="start-counts">
              {Object.entries(counts).map(([name, count]) => (
                <a key={name} href={linkTo({ view: 'world', rest: [name] })}>
                  {count.toLocaleString('en')} {name}
                </a>
              ))}
            </p>
          )}
        </Loaded>
      </section>
      <section class="card pane" aria-label="Requests so far">
        <h2>Requests so far</h2>
        <p class="start-counts">
          <a href={linkTo({ view: 'requests' })}>{all.length.toLocaleString('en')} requests</a>
          {(['failed', 'unmatched', 'faulty', 'changing'] as const).map(kind => (
            <a key={kind} href={linkTo({ view: 'requests', query: { only: kind } })}>
              {only(kind).toLocaleString('en')} {kind}
            </a>
          ))}
        </p>
      </section>
      <section class="card pane" aria-label="Guesses">
        <h2>Guesses that the client relies on</h2>
        {most.length === 0 && <p class="muted">None so far: the document decided every response.</p>}
        <ul class="rows">
          {most.map(([gap, count]) => (
            <li key={gap}>
              <a href={linkTo({ view: 'requests', query: { text: gap } })}>
                <code>{gap}</code>
              </a>
              <span class="badge guess">{count === 1 ? '1 request' : `${count} requests`}</span>
              <span class="muted">
                <Prose text={ledger?.gaps.find(({ id }) => id === gap)?.asks ?? ''} />
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section class="card pane" aria-label="Next">
        <h2>Next</h2>
        <Next unmatched={only('unmatched')} guess={most[0]?.[0]} />
      </section>
    </div>
  );
}

function Next({ unmatched, guess }: { readonly unmatched: number; readonly guess: string | undefined }) {
  if (entries.value.length === 0)
    return (
      <>
        <p>Send a first request:</p>
        <FirstRequest />
      </>
    );
  if (unmatched > 0)
    return (
      <p>
        <a href={linkTo({ view: 'requests', query: { only: 'unmatched' } })}>See which requests match nothing</a>: fix
        their paths, or make a stub for them.
      </p>
    );
  return guess === undefined ? (
    <p>
      <a href={linkTo({ view: 'readings' })}>Add a fault</a> to see how your client handles a broken response.
    </p>
  ) : (
    <p>
      <a href={linkTo({ view: 'readings' })}>Choose another reading</a> of <code>{guess}</code>, and run your client
      again.
    </p>
  );
}
