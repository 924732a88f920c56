// Checksums of the lines of a log. Each includes the previous one, so that changed, missing and moved lines are detected.
import { crc32 } from 'node:zlib';
import { Unreadable } from '../disk/file-error.js';

/** The line end that is used while the checksum is computed. */
const END = ',"crc":"00000000"}\n';
/** Position of the checksum's digits, from the end of the line. */
const [FIRST, LAST] = [11, 4];
const HEX = Buffer.from('0123456789abcdef');

export class Seals {
  /** `last`: the checksum of the previous line; 0: none. */
  constructor(public last = 0) {}

  /** Appends the checksum to a line, which is a JSON object, as its last member. */
  seal(json: string): Buffer {
    const line = Buffer.from(`${json.slice(0, -1)}${END}`);
    this.last = crc32(line, this.last);
    let rest = this.last;
    for (let at = line.length - LAST; at >= line.length - FIRST; at -= 1) {
      line[at] = HEX[rest & 15] ?? 0;
      rest >>>= 4;
    }
    return line;
  }

  /** Checks the next line. Throws `Unreadable`. */
  check(line: Buffer): void {
    const found = sealOf(line);
    if (found === undefined) throw new Unreadable(`it does not end with a checksum, such as ${END.trimEnd()}`);
    line.fill('0', line.length - FIRST, line.length - LAST + 1);
    this.last = crc32(line, this.last);
    if (Number.parseInt(found, 16) === this.last) return;
    const right = this.last.toString(16).padStart(8, '0');
    throw new Unreadable(
      `its checksum is ${found}, and that of what stands here is ${right}: this line was changed, or lines before it are missing`,
    );
  }
}

/** The checksum at the end of a line, if any. */
export function sealOf(line: Buffer): string | undefined {
  const end = line.toString('latin1', Math.max(0, line.length - END.length));
  return /^,"crc":"([0-9a-f]{8})"\}\n$/.exec(end)?.[1];
}
