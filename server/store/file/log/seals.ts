// The checksum at the end of each line of a log. It goes on from that of the line before, so that a line that is changed, missing or in another place
// is found. Knows nothing of what is in a line.
import { crc32 } from 'node:zlib';
import { Unreadable } from '../disk/unreadable.js';

/** The end of a line while its checksum is computed. */
const END = ',"crc":"00000000"}\n';
/** Where the digits of the checksum begin and end, from the end of the line. */
const [FIRST, LAST] = [11, 4];
const HEX = Buffer.from('0123456789abcdef');

export class Seals {
  /** `last`: the checksum of the line before; 0: there is none. */
  constructor(public last = 0) {}

  /** The next line, as it is written: a JSON object, which gets one more member. */
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

  /** Takes the next line with its end. Throws `Unreadable`. */
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

/** The checksum that stands at the end of a line, if any. */
export function sealOf(line: Buffer): string | undefined {
  const end = line.toString('latin1', Math.max(0, line.length - END.length));
  return /^,"crc":"([0-9a-f]{8})"\}\n$/.exec(end)?.[1];
}
