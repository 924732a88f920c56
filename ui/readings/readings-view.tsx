// The readings, faults, stubs and clock of the sandbox.
import { useComputed, useSignal } from '@preact/signals';
import type { LedgerGap, LedgerProfile, Readings } from '../client/wire.js';
import { readLedger } from '../live/ledger.js';
import { route } from '../live/route.js';
import { client, entries, settingsChanges } from '../live/sandbox.js';
import { Button } from '../parts/button.js';
import { EmptyState } from '../parts/empty-state.js';
import { Choice, Search } from '../parts/field.js';
import { ProblemNote } from '../parts/problem-note.js';
import { Prose } from '../parts/prose.js';
import { useAction, useResource } from '../parts/resource.js';
import { undoable } from '../parts/undo.js';
import { guessesOf } from '../requests/filter.js';
import { ArmedPanel } from './armed-panel.js';
import { ClockPanel } from './clock-panel.js';

export function ReadingsView() {
  const { sandbox } = route.value;
  return (
    <div class="readings-view">
      <section class="pane" aria-label="Readings">
        <Gaps sandbox={sandbox} />
      </section>
      <div class="side">
        <ClockPanel sandbox={sandbox} />
        <ArmedPanel sandbox={sandbox} kind="fault" />
        <ArmedPanel sandbox={sandbox} kind="stub" />
      </div>
    </div>
  );
}

function Gaps({ sandbox }: { readonly sandbox: string }) {
  const ledger = useResource(readLedger, []);
  const read = useResource(() => client.in(sandbox).readings(), [sandbox, settingsChanges.value]);
  const { error, queue } = useAction();
  const wanted = useSignal('');
  const isOthersOnly = useSignal(false);
  const met = useComputed(() => countsOf(entries.value.map(({ gaps }) => guessesOf(gaps))));
  const { gaps = [], profiles = [] } = ledger.value.value ?? {};
  const own = read.value.value ?? {};
  const choose = (changed: Readings, text: string) =>
    queue(() => {
      const before = read.value.peek();
      const after = { ...before, ...changed };
      read.value.value = after; // as it is going to be
      return undoable(text, async () => {
        read.value.value = await client.in(sandbox).choose(after);
      }).catch((problem: unknown) => {
        read.value.value = before;
        throw problem;
      });
    });
  const others = gaps.filter(gap => isOther(gap, own));
  const shown = gaps.filter(
    gap =>
      `${gap.id} ${gap.asks}`.toLowerCase().includes(wanted.value.toLowerCase()) &&
      (!isOthersOnly.value || isOther(gap, own)),
  );
  return (
    <>
      <div class="toolbar">
        <Search label="Find a question" value={wanted.value} onInput={text => (wanted.value = text)} />
        <label class="check">
          <input
            type="checkbox"
            checked={isOthersOnly.value}
            onChange={event => (isOthersOnly.value = event.currentTarget.checked)}
          />
          Not the default ({others.length})
        </label>
        <span class="spacer" />
        <ProfileChoice
          profiles={profiles}
          gaps={gaps}
          own={own}
          onChoose={profile => choose({ ...defaultsOf(gaps), ...profile.readings }, `Profile ${profile.name}`)}
        />
        <Button
          class="quiet"
          isOff={others.length === 0}
          onClick={() => choose(defaultsOf(gaps), 'Default readings restored')}
        >
          Restore defaults
        </Button>
      </div>
      <ProblemNote error={error.value ?? read.error.value ?? ledger.error.value} />
      {ledger.value.value === undefined && ledger.isLoading.value && <EmptyState title="Loading…" isLoading />}
      {ledger.value.value !== undefined && shown.length === 0 && <EmptyState title="No question matches" />}
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

interface ProfileChoiceProps {
  readonly profiles: readonly LedgerProfile[];
  readonly gaps: readonly LedgerGap[];
  readonly own: Readings;
  readonly onChoose: (profile: LedgerProfile) => void;
}

/** The profile with these readings, if any. */
function ProfileChoice({ profiles, gaps, own, onChoose }: ProfileChoiceProps) {
  const isOf = (profile: LedgerProfile) =>
    gaps.length > 0 && gaps.every(({ id, readings: [first] }) => own[id] === (profile.readings[id] ?? first?.name));
  const current = profiles.find(isOf)?.name ?? '';
  return (
    <span class="check">
      Profile
      <Choice
        label="Profile"
        value={current}
        options={[
          ...(current === '' ? [['', 'custom'] as const] : []),
          ...profiles.map(({ name }) => [name, name] as const),
        ]}
        onChange={wanted => {
          const chosen = profiles.find(({ name }) => name === wanted);
          if (chosen !== undefined) onChoose(chosen);
        }}
      />
    </span>
  );
}

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
          {readings.map(({ name, means }, i) => (
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
          {isWritten && (
            <label class="choice">
              <input type="radio" name={`gap-${id}`} checked readOnly />
              <span class="reading-name">{reading}</span>
            </label>
          )}
        </div>
      </fieldset>
    </li>
  );
}

function isOther({ id, readings }: LedgerGap, own: Readings): boolean {
  return own[id] !== undefined && own[id] !== readings[0]?.name;
}

function defaultsOf(gaps: readonly LedgerGap[]): Readings {
  return Object.fromEntries(gaps.flatMap(({ id, readings: [first] }) => (first ? [[id, first.name]] : [])));
}

function countsOf(all: ReadonlyArray<readonly string[]>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const gaps of all) for (const gap of gaps) counts.set(gap, (counts.get(gap) ?? 0) + 1);
  return counts;
}
