// A scenario for an audience; without one in the address, a list to pick from.
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { ListedScenario } from '../client/wire.js';
import { openedFiles } from '../files/opened-file.js';
import { goTo, linkTo, route } from '../live/route.js';
import { client } from '../live/sandbox.js';
import { EmptyState, Loaded } from '../parts/empty-state.js';
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
  const title = preview.value?.title;
  const isUnknown = number !== undefined && !(number >= 1 && number <= count.value + 1);
  if (title === undefined && error.value !== undefined)
    return (
      <Unplayable title={`${name} can't be played`}>
        <ProblemNote error={error.value} />
      </Unplayable>
    );
  if (title !== undefined && count.value === 0) return <Unplayable title={`${title} has no steps`} />;
  if (title !== undefined && isUnknown)
    return (
      <Unplayable title={`${title} has no step ${step}`}>
        <a href={linkTo({ view: 'theatre', rest: [name, '1'] })}>Step 1 of {count.value}</a>
      </Unplayable>
    );
  return <Stage performance={performance} />;
}

function Unplayable({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <EmptyState title={title}>
      {children}
      <a href={linkTo({ view: 'theatre' })}>All scenarios</a>
    </EmptyState>
  );
}

function Programme() {
  const read = useResource(client.scenarios);
  const running = runningPerformance();
  return (
    <div class="programme">
      <header>
        <h2>Theatre</h2>
        <p class="muted">Show a scenario to an audience, step by step. It plays in a sandbox of this tab.</p>
      </header>
      <Loaded of={read}>
        {({ scenarios }) => {
          const posters = (wanted: ListedScenario['kind']) =>
            scenarios
              .filter(({ kind }) => kind === wanted)
              .map(({ name, title, about, problem }) => (
                <Poster key={name} sandbox={STAGE} name={name} title={title} about={problem ?? about} />
              ));
          return (
            <>
              <ul class="posters">
                {running?.preview.value !== undefined && (
                  <Poster
                    sandbox={running.sandbox}
                    name={running.name}
                    step={running.index.value + 1}
                    title={`Continue: ${running.preview.value.title}`}
                    about={running.isOver.value ? 'at the end' : `step ${running.index.value + 1}`}
                  />
                )}
                {[...openedFiles.value].map(([name, { file }]) => (
                  <Poster key={name} sandbox={name} name={name} title={file} about="opened in this tab" />
                ))}
                {posters('demo')}
              </ul>
              <h3>Cases</h3>
              <ul class="posters">{posters('case')}</ul>
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

interface PosterProps {
  readonly sandbox: string;
  readonly name: string;
  readonly step?: number;
  readonly title: string;
  readonly about: string;
}

function Poster({ sandbox, name, step, title, about }: PosterProps) {
  const rest = step === undefined ? [name] : [name, String(step)];
  return (
    <li>
      <a class="poster" href={linkTo({ sandbox, view: 'theatre', rest })}>
        <strong>{title}</strong>
        <span class="muted">{about}</span>
        <code>{name}</code>
      </a>
    </li>
  );
}
