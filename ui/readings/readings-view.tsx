// The readings, faults, stubs and clock of the sandbox.
import { useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Ledger, LedgerGap, Readings } from '../client/wire.js';
import { entries, here, readLedger, settingsChanges } from '../live/sandbox.js';
import { EmptyState, Loaded } from '../parts/empty-state.js';
import { bound, Choice, Search } from '../parts/field.js';
import { ProblemNote } from '../parts/problem-note.js';
import { Prose } from '../parts/prose.js';
import { useAction, useResource } from '../parts/resource.js';
import { undoable } from '../parts/undo.js';
import { guessCounts } from '../requests/filter.js';
import { ArmedPanel } from './armed-panel.js';
import { ClockPanel } from './clock-panel.js';

export function ReadingsView() {
  const ledger = useResource(readLedger);
  return (
    <div class="readings-view">
      <section class="pane" aria-label="Readings">
        <Loaded of={ledger}>{read => <Gaps ledger={read} />}</Loaded>
      </section>
      <div class="side">
        <ClockPanel />
        <ArmedPanel kind="fault" />
        <ArmedPanel kind="stub" />
      </div>
    </div>
  );
}

function Gaps({ ledger: { gaps, profiles } }: { readonly ledger: Ledger }) {
  const inSandbox = here();
  const read = useResource(inSandbox.readings, [], [settingsChanges.value]);
  const { error, queue } = useAction();
  const wanted = useSignal('');
  const isOthersOnly = useSignal(false);
  const met = useComputed(() => guessCounts(entries.value));
  /** On the way to the server. */
  const chosen = useSignal<Readings>({});
  useEffect(() => {
    chosen.value = {};
  }, [read.value]);
  const own = { ...read.value, ...chosen.value };
  const choose = (changed: Readings, text: string) => {
    chosen.value = { ...chosen.peek(), ...changed };
    queue(() =>
      undoable(text, () => inSandbox.choose(changed)).catch((problem: unknown) => {
        chosen.value = {};
        throw problem;
      }),
    );
  };
  const others = gaps.filter(gap => isOther(gap, own));
  const shown = (isOthersOnly.value ? others : gaps).filter(({ id, asks }) =>
    `${id} ${asks}`.toLowerCase().includes(wanted.value.toLowerCase()),
  );
  const defaults = Object.fromEntries(gaps.map(({ id, readings: [first] }) => [id, first?.name ?? '']));
  const profile = profiles.find(({ readings }) => gaps.every(({ id }) => own[id] === (readings[id] ?? defaults[id])));
  return (
    <>
      <div class="toolbar">
        <Search label="Find a question" {...bound(wanted)} />
        <label class="check">
          <input
            type="checkbox"
            checked={isOthersOnly.value}
            onChange={event => (isOthersOnly.value = event.currentTarget.checked)}
          />
          Not the default ({others.length})
        </label>
        <span class="spacer" />
        <span class="check">
          Profile
          <Choice
            label="Profile"
            value={profile?.name ?? ''}
            options={[
              ...(profile === undefined ? [['', 'custom'] as const] : []),
              ...profiles.map(
                ({ name, readings }) =>
                  [name, Object.keys(readings).length === 0 ? `${name} (default)` : name] as const,
              ),
            ]}
            onChange={name =>
              choose({ ...defaults, ...profiles.find(each => each.name === name)?.readings }, `Profile ${name}`)
            }
          />
        </span>
      </div>
      <ProblemNote error={error ?? read.error} />
      {shown.length === 0 && <EmptyState title="No question matches" />}
      {groupsOf(shown, met.value).map(([title, group]) => (
        <section key={title} aria-label={title}>
          <h2 class="gap-group">
            {title} <span class="num">{group.length}</span>
          </h2>
          <ul class="gaps">
            {group.map(gap => (
              <Gap
                key={gap.id}
                gap={gap}
                reading={own[gap.id]}
                met={met.value.get(gap.id) ?? 0}
                onChoose={reading => choose({ [gap.id]: reading }, `${gap.id}: ${reading}`)}
              />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

/** Those that requests depended on first, then by the part of the API that they are about. */
function groupsOf(gaps: readonly LedgerGap[], met: ReadonlyMap<string, number>) {
  const groups = new Map<string, LedgerGap[]>([['Your requests depend on', []]]);
  for (const gap of gaps) {
    const families = new Set(gap.askedBy.map(operation => operation.split('.')[0]));
    const [family = 'addresses'] = families;
    const title = met.has(gap.id) ? 'Your requests depend on' : families.size > 1 ? 'Several' : family;
    groups.set(title, [...(groups.get(title) ?? []), gap]);
  }
  return [...groups]
    .filter(([, group]) => group.length > 0)
    .map(([title, group]) => [titles[title] ?? title, group] as const);
}

const titles: Readonly<Record<string, string>> = {
  Several: 'Several parts of the API',
  groups: 'Groups',
  permissions: 'Page permissions',
  spaces: 'Spaces and pages',
  ppf: 'Push and pull',
  addresses: 'Confluence, Jira and addresses',
};

interface GapProps {
  readonly gap: LedgerGap;
  readonly reading: string | undefined;
  /** Number of journal entries that it decided. */
  readonly met: number;
  readonly onChoose: (reading: string) => void;
}

function Gap({ gap, reading, met, onChoose }: GapProps) {
  const { id, asks, source, readings } = gap;
  const isWritten = reading !== undefined && !readings.some(({ name }) => name === reading);
  const all = isWritten ? [...readings, { name: reading, means: '' }] : readings;
  return (
    <li class={`gap ${reading !== undefined && reading !== readings[0]?.name ? 'is-other' : ''}`}>
      <fieldset>
        <legend>
          <code>{id}</code>
          {met > 0 && (
            <span class="badge guess" title="Number of requests that it decided">
              decided {met}
            </span>
          )}
          <span class="asks" title={source}>
            <Prose text={asks} />
          </span>
        </legend>
        <div class="choices">
          {all.map(({ name, means }, i) => (
            <label key={name} class="choice" title={means}>
              <input type="radio" name={`gap-${id}`} checked={reading === name} onChange={() => onChoose(name)} />
              <span>
                <span class="reading-name">{name}</span>
                {i === 0 && <span class="muted"> default</span>}
                <span class="means">
                  <Prose text={means} />
                </span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
    </li>
  );
}

function isOther({ id, readings }: LedgerGap, own: Readings): boolean {
  return own[id] !== undefined && own[id] !== readings[0]?.name;
}
