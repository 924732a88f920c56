// The names of the keys and channels. Everything of one sandbox has the same hash tag, and so the same slot. Knows nothing of what is in them.

export interface LogKeys {
  readonly tag: string;
  /** What is known of the log, its base, its entries, its notes: in the order in which every script takes them. */
  readonly all: readonly [meta: string, base: string, entries: string, notes: string];
  /** Who dropped it, for a while. */
  readonly dropped: string;
  readonly channel: string;
}

export interface PartKeys {
  readonly tag: string;
  readonly key: string;
  /** Which logs without an end refer to it. */
  readonly holders: string;
}

export class Keys {
  constructor(readonly prefix: string) {}

  of(sandbox: string): LogKeys {
    const stem = `${this.prefix}:{${sandbox}}:`;
    return {
      tag: sandbox,
      all: [`${stem}m`, `${stem}b`, `${stem}e`, `${stem}n`],
      dropped: `${stem}d`,
      channel: `${stem}c`,
    };
  }

  /** No sandbox has a colon in its name, so that no tag is that of a part. */
  ofPart(name: string): PartKeys {
    const key = `${this.prefix}:{part:${name}}`;
    return { tag: `part:${name}`, key, holders: `${key}:h` };
  }

  /** A key of a tag in which nothing is kept. */
  trialOf(tag: string): string {
    return `${this.prefix}:{${tag}}:t`;
  }

  /** What the names of the first keys of all logs look like. */
  get pattern(): string {
    return `${this.prefix}:{*}:m`;
  }

  /** The sandbox of such a name. */
  sandboxOf(meta: string): string {
    return meta.slice(this.prefix.length + 2, -3);
  }
}
