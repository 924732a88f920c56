// The names of files: of logs, which no system takes for one another or for something else, of parts, and of what is not yet whole.

const LOG = '.jsonl';
/** Of a file that is being written, and not yet what its name says. */
const UNFINISHED = '.new';
/** Names that Windows takes for devices, whatever follows a dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/;
/** The longest that file systems take, in bytes. */
const LONGEST = 255 - LOG.length - UNFINISHED.length;

/** The file of a sandbox; `undefined` where its name is too long for one, or no text. */
export function fileOf(sandbox: string): string | undefined {
  if (/\p{Surrogate}/u.test(sandbox)) return undefined;
  const name = escaped(sandbox);
  return name.length > LONGEST ? undefined : `${name}${LOG}`;
}

/** The sandbox whose log a file would be; `undefined`: it is no log. */
export function sandboxOf(file: string): string | undefined {
  if (!file.endsWith(LOG)) return undefined;
  const sandbox = unescaped(file.slice(0, -LOG.length));
  return sandbox !== undefined && fileOf(sandbox) === file ? sandbox : undefined;
}

/** Where parts are kept. Their names are safe after a prefix. */
export const PARTS = 'parts';

const PART = /^part-([0-9a-z-]{1,80})\.txt$/;

export function fileOfPart(part: string): string {
  return `part-${part}.txt`;
}

export function partOf(file: string): string | undefined {
  return PART.exec(file)?.[1];
}

export function unfinished(file: string): string {
  return `${file}${UNFINISHED}`;
}

/** What a file would be when finished; `undefined`: it is not one that is being written. */
export function finished(file: string): string | undefined {
  return file.endsWith(UNFINISHED) ? file.slice(0, -UNFINISHED.length) : undefined;
}

/** Small letters, digits, hyphen, underline and dot stay; of everything else, of the first letter of a device, and of a first hyphen or dot the bytes: `Job` is `%4aob`. */
function escaped(name: string): string {
  const [first = '', ...rest] = [...name.replace(/[^a-z0-9._-]/gu, inBytes)];
  const isUnsafe = first === '-' || first === '.' || DEVICE.test(name);
  return `${isUnsafe ? inBytes(first) : first}${rest.join('')}`;
}

function inBytes(letter: string): string {
  return [...Buffer.from(letter)].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

function unescaped(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined; // a lone % or bytes that are no text: not one of ours
  }
}
