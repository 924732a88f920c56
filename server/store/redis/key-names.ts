// The names of keys and channels. All keys of a sandbox share a hash tag, and thus a slot.

interface LogKeys {
  readonly tag: string;
  /** Head, base, entries and notes of a log: the order in which every script takes its keys. */
  readonly all: readonly [meta: string, base: string, entries: string, notes: string];
  /** Who dropped it, kept for a while. */
  readonly dropped: string;
  readonly channel: string;
}

interface PartKeys {
  readonly tag: string;
  readonly key: string;
  /** The logs without expiry that refer to it. */
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

  /** Sandbox names have no colon, so no tag of a sandbox is that of a part. */
  ofPart(name: string): PartKeys {
    const key = `${this.prefix}:{part:${name}}`;
    return { tag: `part:${name}`, key, holders: `${key}:h` };
  }

  /** A key of a tag that stores nothing. */
  trialOf(tag: string): string {
    return `${this.prefix}:{${tag}}:t`;
  }

  /** The pattern of the first keys of all logs. */
  get pattern(): string {
    return `${this.prefix}:{*}:m`;
  }

  /** The sandbox of such a key. */
  sandboxOf(meta: string): string {
    return meta.slice(this.prefix.length + 2, -3);
  }
}
