// The names of keys and channels. All keys of a sandbox share a hash tag, and thus a slot.

interface LogKeys {
  readonly tag: string;
  /**
   * Head, base and records of a log: the order in which every script takes its keys. Others are for the scripts that need them: while a slot moves, a
   * script with a key that does not exist has to wait.
   */
  readonly all: readonly [meta: string, base: string, records: string];
  /** Its part, if it never expires. */
  readonly part: string;
  /** Who dropped it, kept for a while. */
  readonly dropped: string;
  readonly channel: string;
}

interface PartKey {
  readonly tag: string;
  readonly key: string;
}

export class Keys {
  constructor(readonly prefix: string) {}

  of(sandbox: string): LogKeys {
    const stem = `${this.prefix}:{${sandbox}}:`;
    return {
      tag: sandbox,
      all: [`${stem}m`, `${stem}b`, `${stem}r`],
      part: `${stem}p`,
      dropped: `${stem}d`,
      channel: `${stem}c`,
    };
  }

  /** Sandbox names have no colon, so no tag of a sandbox is that of a part. */
  ofPart(name: string): PartKey {
    return { tag: `part:${name}`, key: `${this.prefix}:{part:${name}}` };
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
