// The dashboard: the frame with the view of the address, or why there is nothing to show.
import { useEffect } from 'preact/hooks';
import { DropZone } from './files/drop-zone.js';
import { Header, Notices, titles } from './frame.js';
import { goTo, route } from './live/route.js';
import { connection, description, isShown, watchSandbox } from './live/sandbox.js';
import { Announcer } from './parts/announcer.js';
import { EmptyState } from './parts/empty-state.js';
import { ReadingsView } from './readings/readings-view.js';
import { RequestsView } from './requests/requests-view.js';
import { NewSandbox } from './sandbox-switch.js';
import { TheatreView } from './theatre/theatre-view.js';
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
  const isHere = isShown.value && description.value?.name === sandbox; // to read of another one would create it
  return (
    <>
      <Header />
      <Notices isQuiet={view === 'theatre'} />
      <main class={`view ${view}-view`}>
        <h1 class="sr-only">
          {titles[view]} of {sandbox}
        </h1>
        {isHere ? <View key={sandbox} /> : <Absent sandbox={sandbox} />}
      </main>
      <DropZone />
      <Announcer />
    </>
  );
}

function Absent({ sandbox }: { readonly sandbox: string }) {
  if (connection.value === 'locked') return <TokenForm />;
  if (connection.value !== 'missing') return null;
  return (
    <EmptyState title={`There is no sandbox ${sandbox}`}>
      <p>It was dropped, has expired, or was not made yet. It shows here as soon as a request names it.</p>
      <NewSandbox name={sandbox} onMade={name => goTo({ sandbox: name, rest: [] })} />
      <a href="#/sandbox/default/world">Go to default</a>
    </EmptyState>
  );
}
