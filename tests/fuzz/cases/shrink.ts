// Shrinks a finding: the fewest bytes that are still wrong.

/** Each try is a request; this many give a short enough result. */
const MAX_TRIES = 150;

/** Removes ever smaller parts as long as the rest is still wrong. */
export async function shrink(bytes: Buffer, isWrong: (fewer: Buffer) => Promise<boolean>): Promise<Buffer> {
  let left = bytes;
  let tries = 0;
  for (let size = Math.floor(left.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < left.length && tries < MAX_TRIES; ) {
      const fewer = Buffer.concat([left.subarray(0, at), left.subarray(at + size)]);
      tries += 1;
      if (fewer.length > 0 && (await isWrong(fewer))) left = fewer;
      else at += size;
    }
  }
  return left;
}
