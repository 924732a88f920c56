// The names of keys and channels. All keys of a sandbox share a hash tag, and thus a slot in a Cluster.

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

export const SLOTS = 16_384;

const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) remainder = (remainder << 1) ^ (remainder & 0x8000 ? 0x1021 : 0);
  return remainder & 0xffff;
});

/** The slot of all keys with this tag in their first braces; the tag is ASCII. */
export function slotOf(tag: string): number {
  let remainder = 0;
  for (let at = 0; at < tag.length; at += 1) {
    const byte = ((remainder >> 8) ^ tag.charCodeAt(at)) & 0xff;
    remainder = ((remainder << 8) ^ (TABLE[byte] ?? 0)) & 0xffff;
  }
  return remainder % SLOTS;
}
