// File names of logs, parts and unfinished files, safe on every file system.

const LOG = '.jsonl';
/** Suffix of a file that is being written. */
const UNFINISHED = '.new';
/** Device names on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/;
/** Maximum length on file systems, in bytes. */
const LONGEST = 255 - LOG.length - UNFINISHED.length;

/** The file of a sandbox; `undefined` if its name is too long, or not text. */
export function fileOf(sandbox: string): string | undefined {
  if (/\p{Surrogate}/u.test(sandbox)) return undefined;
  const name = escaped(sandbox);
  return name.length > LONGEST ? undefined : `${name}${LOG}`;
}

/** The sandbox of a log file; `undefined`: it is not a log. */
export function sandboxOf(file: string): string | undefined {
  if (!file.endsWith(LOG)) return undefined;
  const sandbox = unescaped(file.slice(0, -LOG.length));
  return sandbox !== undefined && fileOf(sandbox) === file ? sandbox : undefined;
}

/** The folder of parts. Their names are safe after a prefix. */
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

/** The final name of an unfinished file; `undefined`: it is not unfinished. */
export function finished(file: string): string | undefined {
  return file.endsWith(UNFINISHED) ? file.slice(0, -UNFINISHED.length) : undefined;
}

/**
 * Lower-case letters, digits, hyphen, underscore and dot stay; other characters, the first letter of a device name, and a leading hyphen or dot are
 * escaped: `Job` is `%4aob`.
 */
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
    return undefined; // an invalid escape: not one of our files
  }
}
