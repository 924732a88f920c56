// The dashboard: the frame with the view of the address, or the reason why it is empty.
import { useEffect } from 'preact/hooks';
import { DropZone } from './files/drop-zone.js';
import { Header, Notices, titles } from './frame.js';
import { goTo, route } from './live/route.js';
import { client, connection, description, isShown, watchSandbox } from './live/sandbox.js';
import { Announcer } from './parts/announcer.js';
import { ConfirmDialog } from './parts/confirm.js';
import { EmptyState } from './parts/empty-state.js';
import { ProblemNote } from './parts/problem-note.js';
import { useResource } from './parts/resource.js';
import { ReadingsView } from './readings/readings-view.js';
import { RequestsView } from './requests/requests-view.js';
import { NewSandbox } from './sandbox-switch.js';
import { STAGE, TheatreView } from './theatre/theatre-view.js';
import { TokenForm } from './token-form.js';
import { WorldView } from './world/world-view.js';

const views = { world: WorldView, requests: RequestsView, readings: ReadingsView, theatre: TheatreView };

export function Dashboard() {
  const { sandbox, view } = route.value;
  useEffect(() => watchSandbox(sandbox), [sandbox]);
  useEffect(() => {
    document.title = `${sandbox} · ${view} · cwx-fake`;
  }, [sandbox, view]);
  const View = views[view];
  const isHere = isShown.value && description.value?.name === sandbox; // reading another one would create it
  return (
    <>
      <Header />
      <Notices isQuiet={view === 'theatre'} />
      <main class={`view ${view}-view`} tabIndex={-1}>
        <h1 class="sr-only">
          {titles[view]} of {sandbox}
        </h1>
        {isHere ? <View key={sandbox} /> : <Absent sandbox={sandbox} />}
      </main>
      <DropZone />
      <ConfirmDialog />
      <Announcer />
    </>
  );
}

function Absent({ sandbox }: { readonly sandbox: string }) {
  const { view, rest } = route.value;
  if (connection.value === 'locked') return <TokenForm />;
  if (connection.value !== 'missing') return null;
  const [scenario] = rest;
  if (sandbox === STAGE && view === 'theatre' && scenario !== undefined) return <Preparing scenario={scenario} />;
  return (
    <EmptyState title={`Unknown sandbox ${sandbox}`}>
      <p>It was dropped, has expired, or was never created. It appears here with its first request.</p>
      <NewSandbox name={sandbox} onMade={name => goTo({ sandbox: name, rest: [] })} />
      <a href="#/sandbox/default/world">Go to default</a>
    </EmptyState>
  );
}

/** A link to a play on a server that has played nothing yet. */
function Preparing({ scenario }: { readonly scenario: string }) {
  const read = useResource(() => client.create({ name: STAGE, scenario }), [scenario]);
  return read.error.value === undefined ? (
    <EmptyState title="Loading…" />
  ) : (
    <EmptyState title={`${scenario} can't be played`}>
      <ProblemNote error={read.error.value} />
      <a href="#/sandbox/default/theatre">All scenarios</a>
    </EmptyState>
  );
}
