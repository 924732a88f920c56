// A scenario for an audience; without one in the address, a list to pick from.
import { useEffect } from 'preact/hooks';
import type { Story } from '../client/control-client.js';
import type { ListedScenario } from '../client/wire.js';
import { openedFiles } from '../files/opened-file.js';
import { goTo, linkTo, route } from '../live/route.js';
import { client, description } from '../live/sandbox.js';
import { Button } from '../parts/button.js';
import { EmptyState } from '../parts/empty-state.js';
import { ProblemNote } from '../parts/problem-note.js';
import { useAction, useResource } from '../parts/resource.js';
import { Stage } from './stage.js';

/** The sandbox for plays, so that the shown sandbox is not changed. */
export const STAGE = 'stage';

export function TheatreView() {
  const { rest, sandbox } = route.value;
  const [name] = rest;
  if (name === undefined) return <Programme />;
  const opened = openedFiles.value.get(name);
  return <Performance key={`${sandbox}/${name}`} sandbox={sandbox} story={opened ?? { scenario: name }} />;
}

function Performance({ sandbox, story }: { readonly sandbox: string; readonly story: Story }) {
  const read = useResource(() => client.in(sandbox).preview(story), [sandbox, JSON.stringify(story)]);
  const preview = read.value.value;
  if (preview === undefined)
    return (
      <div class="theatre">
        <ProblemNote error={read.error.value} />
        {read.isLoading.value && <EmptyState title="Loading…" />}
        {read.error.value !== undefined && <a href={linkTo({ view: 'theatre' })}>All scenarios</a>}
      </div>
    );
  if (preview.steps.length === 0)
    return (
      <EmptyState title={`${preview.title} has no steps`}>
        <a href={linkTo({ view: 'theatre' })}>All scenarios</a>
      </EmptyState>
    );
  return <Stage sandbox={sandbox} story={story} preview={preview} />;
}

function Programme() {
  const read = useResource(client.scenarios, []);
  const { error, isBusy, run } = useAction();
  const scenarios = read.value.value?.scenarios ?? [];
  useEffect(() => {
    document.title = 'Theatre · cwx-fake';
  }, []);
  const play = (name: string) =>
    run(async () => {
      await client.replace(STAGE, { scenario: name });
      goTo({ sandbox: STAGE, view: 'theatre', rest: [name] });
    });
  const posters = (wanted: ListedScenario['kind']) =>
    scenarios
      .filter(({ kind }) => kind === wanted)
      .map(({ name, title, about, problem }) => (
        <li key={name}>
          <Button class="poster" isOff={isBusy.value || problem !== undefined} onClick={() => play(name)}>
            <strong>{title}</strong>
            <span class="muted">{problem ?? about}</span>
            <code>{name}</code>
          </Button>
        </li>
      ));
  return (
    <div class="programme">
      <header>
        <h2>Theatre</h2>
        <p class="muted">
          Show a scenario to an audience, step by step. It plays in the sandbox <code>{STAGE}</code>;{' '}
          <bdi>{description.value?.name}</bdi> does not change.
        </p>
      </header>
      <ProblemNote error={error.value ?? read.error.value} />
      <ul class="posters">
        {[...openedFiles.value].map(([name, { file }]) => (
          <li key={name}>
            <a class="poster" href={linkTo({ sandbox: name, view: 'theatre', rest: [name] })}>
              <strong>{file}</strong>
              <span class="muted">opened in this tab</span>
            </a>
          </li>
        ))}
        {posters('demo')}
      </ul>
      <h3>Cases</h3>
      <ul class="posters">{posters('case')}</ul>
    </div>
  );
}
