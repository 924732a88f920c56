// The event readers of this process, limited in number.

import type { JournalEntry } from '../journal/journal-entry.js';
import type { CachedSandbox } from '../session/cached-sandbox.js';
import type { Position } from './event.js';
import { Feed } from './feed.js';

export interface FeedLimits {
  /** Maximum number of readers. */
  readonly feeds: number;
  /** Maximum backlog of a reader, in bytes of entries and changes. */
  readonly backlog: number;
}

export const usualFeedLimits: FeedLimits = { feeds: 256, backlog: 1024 * 1024 };

export class Feeds {
  readonly #open = new Map<string, Set<Feed>>();
  #size = 0;
  #isEnded = false;

  /** `follow`: follows what other processes do to a sandbox, until the returned function is called. */
  constructor(
    private readonly follow: (name: string) => () => void,
    private readonly limits: FeedLimits = usualFeedLimits,
  ) {}

  /** Number of readers. */
  get size(): number {
    return this.#size;
  }

  /** A feed from now, or from a position; `undefined` if there are too many, or all are closed. The reader must close it. */
  open(sandbox: CachedSandbox, after?: Position): Feed | undefined {
    if (this.#isEnded || this.#size >= this.limits.feeds) return undefined;
    const { name } = sandbox;
    const unfollow = this.follow(name);
    const closed = () => {
      unfollow();
      this.#size -= 1;
      const others = this.#open.get(name);
      others?.delete(feed);
      if (others?.size === 0) this.#open.delete(name);
    };
    const feed = new Feed({ backlog: this.limits.backlog, closed }, sandbox, after);
    const known = this.#open.get(name) ?? new Set();
    this.#open.set(name, known.add(feed));
    this.#size += 1;
    return feed;
  }

  /** A sandbox was created or has changed, perhaps with an entry. */
  changed(sandbox: CachedSandbox, entry?: JournalEntry): void {
    if (this.#size === 0) return;
    for (const feed of this.#open.get(sandbox.name) ?? []) feed.changed(sandbox, entry);
  }

  /** The sandbox of a name was dropped. */
  left(name: string): void {
    for (const feed of this.#open.get(name) ?? []) feed.left();
  }

  /** Whether a sandbox of this name has readers. */
  isHeard(name: string): boolean {
    return this.#open.has(name);
  }

  /** Ends all feeds and refuses new ones. */
  end(): void {
    this.#isEnded = true;
    for (const feeds of [...this.#open.values()]) for (const feed of [...feeds]) feed.close();
  }
}
