// The dashboard: the frame with the view of the address, or the reason why it is empty.
import { useEffect } from 'preact/hooks';
import { DropZone } from './files/drop-zone.js';
import { Header, Notices, titles } from './frame.js';
import { Keys } from './keys.js';
import { goTo, route, views } from './live/route.js';
import { connection, description, gone, isShown, watchSandbox } from './live/sandbox.js';
import { Announcer } from './parts/announcer.js';
import { ConfirmDialog } from './parts/confirm.js';
import { EmptyState } from './parts/empty-state.js';
import { UndoBar } from './parts/undo.js';
import { ReadingsView } from './readings/readings-view.js';
import { RequestsView } from './requests/requests-view.js';
import { NewSandbox } from './sandbox-switch.js';
import { StartView } from './start-view.js';
import { isStage, TheatreView } from './theatre/theatre-view.js';
import { TokenForm } from './token-form.js';
import { WorldView } from './world/world-view.js';

const shown = {
  overview: StartView,
  world: WorldView,
  requests: RequestsView,
  readings: ReadingsView,
  theatre: TheatreView,
};

export function Dashboard() {
  const { sandbox, view, rest, unknown } = route.value;
  const isPlay = view === 'theatre' && rest.length > 0; // it makes its sandbox first
  useEffect(() => (isPlay ? undefined : watchSandbox(sandbox)), [sandbox, isPlay]);
  useEffect(() => {
    document.title = `${sandbox} · ${view} · cwx-fake`;
  }, [sandbox, view]);
  const View = shown[view];
  const isHere = isShown.value && description.value?.name === sandbox; // reading another one would create it
  return (
    <>
      <button type="button" class="skip" onClick={() => document.querySelector('main')?.focus()}>
        Skip to the view
      </button>
      <Header />
      <Notices isQuiet={view === 'theatre' || isStage(sandbox)} />
      <main class={`view ${view}-view`} tabIndex={-1}>
        <h1 class="sr-only">
          {titles[view]} of {sandbox}
        </h1>
        {unknown !== undefined && (
          <EmptyState title="There is no such page">
            <p>
              The address <code>{unknown}</code> leads nowhere: after the sandbox comes one of {views.join(', ')}.
            </p>
            <a href="#/">Go to default</a>
          </EmptyState>
        )}
        {unknown === undefined &&
          (isHere || (isPlay && connection.value !== 'locked') ? <View key={sandbox} /> : <Absent sandbox={sandbox} />)}
      </main>
      <DropZone />
      {view !== 'theatre' && <UndoBar />}
      <ConfirmDialog />
      <Keys />
      <Announcer />
    </>
  );
}

function Absent({ sandbox }: { readonly sandbox: string }) {
  if (connection.value === 'locked') return <TokenForm />;
  if (connection.value !== 'missing') return <EmptyState title={`Loading ${sandbox}…`} isLoading />;
  const had = gone.value?.name === sandbox ? gone.value.text : undefined;
  return (
    <EmptyState title={`Unknown sandbox ${sandbox}`}>
      {had === undefined ? (
        <p>It was deleted, has expired, or was never created. It appears here with its first request.</p>
      ) : (
        <p>It was deleted, or the server was restarted. {had} are gone. It appears here again with its next request.</p>
      )}
      <NewSandbox name={sandbox} onMade={name => goTo({ sandbox: name, rest: [] })} />
      <a href="#/">Go to default</a>
    </EmptyState>
  );
}
