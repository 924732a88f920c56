// How far back a sandbox's log is kept: bounded by entries and by bytes, so that a million requests leave the memory as it was.
// Marks the state now and then, which costs a pointer, and forgets from the old end what lies before a mark.
import { weighFacts } from './journal.js';
import type { Sandbox } from './sandbox.js';
import type { Change, State } from './state.js';
import type { Store } from './store.js';

/** A mark is set when so many entries, or so many bytes, have come since the last one. */
const MARK_ENTRIES = 256;
const MARK_BYTES = 4 * 1024 * 1024;
/** Marks that are kept: the log reaches back to the oldest of them. */
const MOST_MARKS = 4;

interface Mark {
  readonly version: number;
  readonly state: State;
}

interface Course {
  readonly marks: Mark[];
  entries: number;
  bytes: number;
}

export class History {
  readonly #courses = new WeakMap<Sandbox, Course>();

  constructor(private readonly store: Store<State, readonly Change[]>) {}

  /** Takes note of an entry that a sandbox has just taken in; what is returned is to be waited for. */
  note(sandbox: Sandbox, changes: readonly Change[]): Promise<void> | undefined {
    const course = this.#courseOf(sandbox);
    course.entries += 1;
    course.bytes += weighFacts(changes);
    if (course.entries < MARK_ENTRIES && course.bytes < MARK_BYTES) return undefined;
    course.entries = 0;
    course.bytes = 0;
    course.marks.push({ version: sandbox.head.version, state: sandbox.state });
    if (course.marks.length <= MOST_MARKS) return undefined;
    course.marks.shift();
    const [oldest] = course.marks;
    return oldest && this.store.compact(sandbox.name, oldest.version, oldest.state);
  }

  #courseOf(sandbox: Sandbox): Course {
    const known = this.#courses.get(sandbox);
    if (known !== undefined) return known;
    const course = { marks: [], entries: 0, bytes: 0 };
    this.#courses.set(sandbox, course);
    return course;
  }
}
