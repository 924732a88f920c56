// A scenario for an audience; without one in the address, a list to pick from.
import { useEffect, useMemo } from 'preact/hooks';
import type { ListedScenario } from '../client/wire.js';
import { openedFiles } from '../files/opened-file.js';
import { goTo, linkTo, route } from '../live/route.js';
import { client } from '../live/sandbox.js';
import { EmptyState } from '../parts/empty-state.js';
import { ProblemNote } from '../parts/problem-note.js';
import { useResource } from '../parts/resource.js';
import { performanceOf, runningPerformance } from './performance.js';
import { Stage } from './stage.js';

/** The sandbox for the plays of this page: no other tab plays in it, and no other sandbox is changed. */
export const STAGE = `stage-${Math.random().toString(36).slice(2, 8)}`;

/** Whether a sandbox is the stage of this tab or another. */
export const isStage = (sandbox: string) => /^stage-[a-z0-9]{1,6}$/.test(sandbox);

export function TheatreView() {
  const [name, step] = route.value.rest;
  return name === undefined ? <Programme /> : <Play name={name} step={step} />;
}

function Play({ name, step }: { readonly name: string; readonly step: string | undefined }) {
  const opened = openedFiles.value.get(name);
  const sandbox = opened === undefined ? STAGE : name;
  const number = step === undefined ? undefined : Number(step);
  const performance = useMemo(
    () => performanceOf(sandbox, name, opened ?? { scenario: name }, number),
    [sandbox, name, opened, number === undefined],
  );
  const isHere = route.value.sandbox === sandbox;
  useEffect(() => {
    if (!isHere) goTo({ sandbox, view: 'theatre', rest: route.peek().rest }, { instead: true });
  }, [isHere, sandbox]);
  useEffect(() => {
    if (number !== undefined && performance.preview.peek() !== undefined && number - 1 !== performance.index.peek())
      performance.seek(number - 1);
  }, [performance, number]);
  const { preview, error, count } = performance;
  if (preview.value === undefined && error.value !== undefined)
    return (
      <EmptyState title={`${name} can't be played`}>
        <ProblemNote error={error.value} />
        <AllScenarios />
      </EmptyState>
    );
  if (preview.value !== undefined && count.value === 0)
    return (
      <EmptyState title={`${preview.value.title} has no steps`}>
        <AllScenarios />
      </EmptyState>
    );
  if (preview.value !== undefined && number !== undefined && !(number >= 1 && number <= count.value + 1))
    return (
      <EmptyState title={`${preview.value.title} has no step ${step}`}>
        <a href={linkTo({ view: 'theatre', rest: [name, '1'] })}>Step 1 of {count.value}</a>
        <AllScenarios />
      </EmptyState>
    );
  return <Stage performance={performance} />;
}

const AllScenarios = () => <a href={linkTo({ view: 'theatre' })}>All scenarios</a>;

function Programme() {
  const read = useResource(client.scenarios, []);
  const scenarios = read.value.value?.scenarios ?? [];
  const running = runningPerformance();
  const posters = (wanted: ListedScenario['kind']) =>
    scenarios
      .filter(({ kind }) => kind === wanted)
      .map(({ name, title, about, problem }) => (
        <li key={name}>
          <a class="poster" href={linkTo({ sandbox: STAGE, view: 'theatre', rest: [name] })}>
            <strong>{title}</strong>
            <span class="muted">{problem ?? about}</span>
            <code>{name}</code>
          </a>
        </li>
      ));
  return (
    <div class="programme">
      <header>
        <h2>Theatre</h2>
        <p class="muted">Show a scenario to an audience, step by step. It plays in a sandbox of this tab.</p>
      </header>
      <ProblemNote error={read.error.value} />
      {read.isLoading.value && <EmptyState title="Loading…" isLoading isSmall />}
      <ul class="posters">
        {running?.preview.value !== undefined && (
          <li>
            <a
              class="poster"
              href={linkTo({
                sandbox: running.sandbox,
                view: 'theatre',
                rest: [running.name, String(running.index.value + 1)],
              })}
            >
              <strong>Continue: {running.preview.value.title}</strong>
              <span class="muted">
                {running.isOver.value ? 'at the end' : `step ${running.index.value + 1} of ${running.count.value}`}
              </span>
            </a>
          </li>
        )}
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
