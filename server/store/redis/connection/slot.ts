// In which of the 16,384 slots of a Cluster a key is, by its hash tag. Knows no more of keys than that.

export const SLOTS = 16_384;

const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) remainder = (remainder << 1) ^ (remainder & 0x8000 ? 0x1021 : 0);
  return remainder & 0xffff;
});

/** The slot of all keys with this tag between their first braces; the tag is ASCII. */
export function slotOf(tag: string): number {
  let remainder = 0;
  for (let at = 0; at < tag.length; at += 1) {
    const byte = ((remainder >> 8) ^ tag.charCodeAt(at)) & 0xff;
    remainder = ((remainder << 8) ^ (TABLE[byte] ?? 0)) & 0xffff;
  }
  return remainder % SLOTS;
}
