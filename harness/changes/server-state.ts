// Reads the state of a foreign server before a run changes it, brings it to the fixture's before each scenario, and restores it exactly.
// Changes by documented operations only.
import type { OperationId } from '../../server/operations/catalog/catalog.js';
import type { SomeReadings } from '../../server/operations/gaps/gaps.js';
import type { Step } from '../../server/scenario/format/step-format.js';
import { requestOfStep } from '../../server/scenario/play/step-request.js';
import { type Received, Unreachable } from '../../server/scenario/play/target.js';
import type { NamesThere } from '../names/name-map.js';
import { isPassing, type PatientTarget, reasonIn } from '../target/patient-target.js';
import type { RestApi, State } from '../target/rest-api.js';
import { fixtureState, keyOf, type Subject } from './subjects.js';

const DOUBTED_ROUNDS = 3;
/** Seconds to wait in all for a server that is away. */
const PATIENCE_S = 5;

/** The server refuses changes of all kinds for now. */
export class RefusesChanges extends Error {
  override readonly name = 'RefusesChanges';
}

export class ServerState {
  /** The readings that the server is known to follow: they decide addresses. */
  known: SomeReadings = {};
  /** What could not be read and was changed all the same. */
  readonly #overwritten = new Map<string, Subject>();
  /** Whether the server has shown a fault: then what it changes is checked. */
  isDoubted = false;
  /** Number of requests that change something. */
  #sent = 0;
  #isMeasured = false;
  /** Before the first change. */
  readonly #saved = new Map<string, { readonly subject: Subject; readonly state: State }>();

  constructor(
    private readonly target: PatientTarget,
    private readonly api: RestApi,
    private readonly names: NamesThere,
  ) {}

  /** Reads subjects before they are changed; returns those that cannot be read. */
  async save(subjects: readonly Subject[]): Promise<readonly Subject[]> {
    const unreadable: Subject[] = [];
    const states = await Promise.all(subjects.map(({ kind, real }) => this.api.state(kind, real)));
    for (const [i, subject] of subjects.entries()) {
      const state = states[i];
      if (state) this.#saved.set(keyOf(subject), { subject, state });
      else unreadable.push(subject);
    }
    return unreadable;
  }

  /** Once, changes members and favourites and changes them back, to find out when reads show a change. Rejects with `RefusesChanges`. */
  async #measure(): Promise<void> {
    const { patience } = this.target;
    if (patience.stale === 0 || this.#isMeasured) return;
    this.#isMeasured = true;
    for (const kind of ['members', 'favourites'] as const) {
      const saved = [...this.#saved.values()].find(({ subject }) => subject.kind === kind);
      const other = saved && toggled(saved.subject, saved.state, this.names);
      if (saved === undefined || other === undefined) continue;
      for (const [before, after] of [
        [saved.state, other],
        [other, saved.state],
      ] as const) {
        const [step] = differenceSteps(saved.subject, before, after);
        const { status, text } = (step && (await this.#send(step))) ?? { status: 0, text: '' };
        if (isPassing(status))
          throw new RefusesChanges(`The server refuses changes with ${status}${reasonIn({ text })}`);
        if (status < 200 || status >= 300) break;
        if (!(await this.#appears(saved.subject, after))) break;
      }
      this.forget([saved.subject]);
    }
  }

  /** Waits until reads show a state. */
  async #appears(subject: Subject, wanted: State): Promise<boolean> {
    const { target, api } = this;
    const { patience, signal } = target;
    const known = target.lag;
    const since = patience.now();
    for (let pause = 500; ; pause = Math.min(2000, pause * 2)) {
      const state = await api.state(subject.kind, subject.real);
      const time = patience.now() - since;
      if (state && differenceSteps(subject, state, wanted).length === 0) {
        if (pause === 500) return true;
        target.lag = Math.max(known, time);
        target.say(`Changes appear after ${Math.ceil(target.lag / 1000)} s: reads after a change wait as long.`);
        return true;
      }
      if (pause === 500) target.say(`Waiting up to ${patience.stale / 1000} s for a change to appear.`);
      if (time >= patience.stale || signal?.aborted) return false;
      await target.wait(pause, 'stale');
    }
  }

  /** Whether a subject can be read. */
  isSaved(subject: Subject): boolean {
    return this.#saved.has(keyOf(subject));
  }

  /** All that was saved of the kinds of some subjects: a faulty server may change others than it is asked to. */
  likeAny(subjects: readonly Subject[]): readonly Subject[] {
    const kinds = new Set(subjects.map(({ kind }) => kind));
    return [...this.#saved.values()].map(({ subject }) => subject).filter(({ kind }) => kinds.has(kind));
  }

  /** Gives subjects the state of the fixture; returns those for which that failed. */
  async prepare(subjects: readonly Subject[]): Promise<readonly Subject[]> {
    if (subjects.length > 0) await this.#measure();
    await this.#read(subjects);
    for (let rounds = this.isDoubted ? DOUBTED_ROUNDS : 1; ; rounds--) {
      const failed: Subject[] = [];
      const sent = this.#sent;
      for (const [subject, isLast] of inOrder(subjects)) {
        const isDone = await this.#bring(subject, current => fixtureState(subject, this.names, current));
        if (!isDone && isLast) failed.push(subject);
      }
      if (rounds <= 1 || sent === this.#sent) return failed;
      this.forget(subjects); // on a faulty server changing one may have changed another
    }
  }

  /** Reads what is unknown, all at once. */
  async #read(subjects: readonly Subject[]): Promise<void> {
    const { api } = this;
    const unknown = subjects.filter(subject => this.isSaved(subject) && !api.latest.has(keyOf(subject)));
    await Promise.all(unknown.map(({ kind, real }) => api.state(kind, real)));
  }

  /** Their state is unknown until it is read again. Returns a function that restores what was known, unless it has been read since. */
  forget(subjects: readonly Subject[]): () => void {
    const { latest } = this.api;
    const known = subjects.flatMap(subject => [[keyOf(subject), latest.get(keyOf(subject))] as const]);
    for (const [key] of known) latest.delete(key);
    return () => {
      for (const [key, state] of known) if (state !== undefined && !latest.has(key)) latest.set(key, state);
    };
  }

  /**
   * Restores everything that was saved, and waits a few seconds for a server that is away; returns a sentence for each subject that differs afterwards. What
   * could not be saved gets the state of the fixture.
   */
  async restore(): Promise<readonly string[]> {
    delete this.target.signal; // what is interrupted is restored, too
    let patience = PATIENCE_S;
    const restored = async (subject: Subject, state: State): Promise<boolean> => {
      for (;;) {
        try {
          await this.#pullInvisible(subject, state);
          return await this.#bring(subject, () => state);
        } catch (error) {
          if (!(error instanceof Unreachable)) throw error;
          this.forget([subject]);
          if (patience === 0) return false;
          patience -= 1;
          await this.target.wait(1000, 'busy');
        }
      }
    };
    for (let rounds = DOUBTED_ROUNDS; ; rounds--) {
      const left: string[] = [];
      const sent = this.#sent;
      const subjects = [...this.#saved.values()].map(({ subject }) => subject);
      for (const [subject, isLast] of inOrder(subjects)) {
        const state = this.#saved.get(keyOf(subject))?.state ?? {};
        if (this.isDoubted) this.forget([subject]);
        const before = this.#sent;
        const isDone = await restored(subject, state);
        if (subject.kind === 'members' && this.#sent > before)
          this.forget(subjects.filter(({ kind }) => kind === 'favourites')); // members see items that others do not
        if (!isDone && isLast) left.push(`${subjectText(subject)}: before the run ${stateText(state)}`);
      }
      for (const subject of this.#overwritten.values()) await restored(subject, fixtureState(subject, this.names, {}));
      if (rounds <= 1 || sent === this.#sent || !this.isDoubted) return left;
    }
  }

  /** Jira does not list favourites that a user is not allowed to see, but some servers let them be pushed. */
  async #pullInvisible(subject: Subject, state: State): Promise<void> {
    if (subject.kind !== 'favourites' || this.known['ppf-invisible-item'] !== 'push-anyway') return;
    for (const step of differenceSteps(subject, everything(subject, this.names), state).flatMap(oneByOne))
      if (step.call === 'ppf.pull') await this.#send(step);
  }

  /** Whether the subject has the wanted state in the end. */
  async #bring(subject: Subject, wanted: (current: State) => State): Promise<boolean> {
    if (!this.isSaved(subject)) return this.#overwrite(subject, wanted({}));
    const read = () => this.api.state(subject.kind, subject.real);
    for (const isLastWay of [false, true]) {
      const current = this.api.latest.get(keyOf(subject)) ?? (await read());
      if (!current) return false;
      const steps = differenceSteps(subject, current, wanted(current));
      if (steps.length === 0) return true;
      this.forget([subject]);
      for (const step of isLastWay ? otherSteps(subject, current, wanted(current)) : steps) await this.#send(step);
    }
    const reached = await read();
    return !!reached && differenceSteps(subject, reached, wanted(reached)).length === 0;
  }

  /** What cannot be read is brought to a state from any other. */
  async #overwrite(subject: Subject, wanted: State): Promise<boolean> {
    this.#overwritten.set(keyOf(subject), subject);
    const changes = [
      ...differenceSteps(subject, everything(subject, this.names), wanted),
      ...differenceSteps(subject, {}, wanted),
    ];
    const byKind = {
      members: [setMembers(subject, wanted.users ?? [])],
      restrictions: changes,
      favourites: changes.flatMap(oneByOne),
    };
    for (const step of byKind[subject.kind]) await this.#send(step);
    return true;
  }

  async #send(step: Sent): Promise<Received | undefined> {
    const { world, passwords, adminThere: as } = this.names;
    const asking = { world, passwords, context: this.target.context, readings: this.known, asksReadings: false };
    const request = requestOfStep({ say: '', as, ...step }, asking);
    if (request === undefined) return undefined;
    this.#sent += 1;
    return this.target.send(request);
  }
}

/**
 * Favourites come first and last: what a group shares with a new member is listed, and can be pulled, only as long as the user is a member, and pushed only
 * once the user is one again.
 */
function inOrder(subjects: readonly Subject[]): ReadonlyArray<readonly [subject: Subject, isLast: boolean]> {
  const favourites = subjects.filter(({ kind }) => kind === 'favourites');
  const others = subjects.filter(({ kind }) => kind !== 'favourites');
  return [
    ...(others.length === 0 ? [] : favourites.map(one => [one, false] as const)),
    ...[...others, ...favourites].map(one => [one, true] as const),
  ];
}

type Sent = Pick<Step, 'path' | 'body'> & { readonly call: OperationId };

/** A state in which one name of the fixture is there that was not, or the reverse. */
function toggled(subject: Subject, state: State, names: NamesThere): State | undefined {
  const [[list, all] = []] = Object.entries(everything(subject, names)).filter(([, some]) => some.length > 0);
  if (list === undefined || all === undefined) return undefined;
  const before = state[list] ?? [];
  const [one] = all;
  if (one === undefined) return undefined;
  return { ...state, [list]: before.includes(one) ? before.filter(other => other !== one) : [...before, one] };
}

/** The requests that turn one state into another. */
function differenceSteps({ kind, real }: Subject, current: State, wanted: State): Sent[] {
  const lacking = without(wanted, current);
  const extra = without(current, wanted);
  const has = (state: State, ...lists: readonly string[]) => lists.some(list => (state[list] ?? []).length > 0);
  if (kind === 'members')
    return [
      ...(has(extra, 'users')
        ? [{ call: 'groups.remove-users' as const, body: { group: real, users: extra.users } }]
        : []),
      ...(has(lacking, 'users')
        ? [{ call: 'groups.add-users' as const, body: { group: real, users: lacking.users } }]
        : []),
    ];
  if (kind === 'favourites') {
    const body = (state: State) => ({ users: [real], ...nonEmpty(state) });
    return [
      ...(has(extra, 'filters', 'dashboards') ? [{ call: 'ppf.pull' as const, body: body(extra) }] : []),
      ...(has(lacking, 'filters', 'dashboards') ? [{ call: 'ppf.push' as const, body: body(lacking) }] : []),
    ];
  }
  return (['view', 'edit'] as const).flatMap(permission => {
    const [users, groups] = [`${permission}.users`, `${permission}.groups`];
    const body = (state: State) => ({ users: state[users] ?? [], groups: state[groups] ?? [] });
    const path = { pageId: real };
    return [
      ...(has(lacking, users, groups)
        ? [{ call: `permissions.${permission}-add` as const, path, body: body(lacking) }]
        : []),
      ...(has(extra, users, groups)
        ? [{ call: `permissions.${permission}-remove` as const, path, body: body(extra) }]
        : []),
    ];
  });
}

/** Another way, for a server on which the first has failed. */
function otherSteps(subject: Subject, current: State, wanted: State): Sent[] {
  const steps = differenceSteps(subject, current, wanted);
  if (subject.kind === 'members') return [setMembers(subject, wanted.users ?? [])];
  if (subject.kind === 'favourites') return steps.flatMap(oneByOne);
  const {
    'view.users': a = [],
    'view.groups': b = [],
    'edit.users': c = [],
    'edit.groups': d = [],
  } = without(current, wanted);
  const all = {
    call: 'permissions.all-remove' as const,
    path: { pageId: subject.real },
    body: { users: [...a, ...c], groups: [...b, ...d] },
  };
  return [all, ...steps.filter(({ call }) => call.endsWith('-add'))];
}

/** A server may refuse several items for the sake of one. */
function oneByOne({ call, body }: Sent): Sent[] {
  const {
    users,
    filters = [],
    dashboards = [],
  } = body as { users: string[]; filters?: number[]; dashboards?: number[] };
  return [
    ...filters.map(id => ({ call, body: { users, filters: [id] } })),
    ...dashboards.map(id => ({ call, body: { users, dashboards: [id] } })),
  ];
}

/** The state with everything that the fixture knows. */
function everything({ kind }: Subject, names: NamesThere): State {
  const { users, groups, filters, dashboards } = names.world;
  const all = (of: 'user' | 'group', keys: Iterable<string>) => [...keys].flatMap(name => names.real(of, name) ?? []);
  const ids = (of: 'filter' | 'dashboard', keys: Iterable<number>) =>
    [...keys].flatMap(id => names.realId(of, id) ?? []);
  if (kind === 'favourites')
    return { filters: ids('filter', filters.keys()), dashboards: ids('dashboard', dashboards.keys()) };
  const [everyone, every] = [all('user', users.keys()), all('group', groups.keys())];
  if (kind === 'members') return { users: everyone };
  return { 'view.users': everyone, 'view.groups': every, 'edit.users': everyone, 'edit.groups': every };
}

function setMembers({ real }: Subject, users: State[string]): Sent {
  return { call: 'groups.set-users', body: { group: real, users } };
}

/** The elements of each list that the same list of another state lacks. */
function without(state: State, other: State): State {
  return Object.fromEntries(
    Object.entries(state).map(([list, all]) => [list, all.filter(one => !(other[list] ?? []).includes(one))]),
  );
}

function nonEmpty(state: State): State {
  return Object.fromEntries(Object.entries(state).filter(([, all]) => all.length > 0));
}

/** `members of the group customers`. */
export function subjectText({ kind, real }: Subject): string {
  const of = { members: 'members of the group', restrictions: 'restrictions of the page', favourites: 'favourites of' };
  return `${of[kind]} ${real}`;
}

function stateText(state: State): string {
  const lists = Object.entries(nonEmpty(state)).map(([list, all]) => `${list}: ${all.join(', ')}`);
  return lists.join('; ') || 'none';
}
