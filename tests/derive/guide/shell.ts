// Reads the curl commands of a page as a shell would, so that what people copy from it can be sent.
export interface Command {
  readonly method: string;
  /** Path and query, from the root of the host. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly user?: string;
  readonly password?: string;
  readonly body?: string;
}

/** A command of a page with the response that the page shows after it. */
export interface Shown {
  /** As it stands on the page. */
  readonly line: string;
  readonly command: Command;
  readonly status: number;
  /** The JSON text of the body. */
  readonly body?: string;
}

/** The commands of a Markdown page that are followed by a response, in order. */
export function shownCommands(page: string): Shown[] {
  const pattern = /```sh\n(curl [^`]*)\n```\n\nResponse `(\d{3})`(?:, without a body\.|:\n\n```json\n([^`]*)\n```)/g;
  return [...page.matchAll(pattern)].map(([, line = '', status, body]) => ({
    line,
    command: parseCurl(line),
    status: Number(status),
    ...(body !== undefined && { body }),
  }));
}

function parseCurl(line: string): Command {
  const words = wordsOf(line);
  const valuesOf = (flag: string) => words.flatMap((word, i) => (word === flag ? [words[i + 1] ?? ''] : []));
  const address = new URL(words.find(word => word.startsWith('http://')) ?? '');
  const [credentials] = valuesOf('-u');
  const [body] = valuesOf('-d');
  const [user, password] = credentials?.split(':') ?? [];
  return {
    method: valuesOf('-X')[0] ?? 'GET',
    url: `${address.pathname}${address.search}`,
    headers: Object.fromEntries(valuesOf('-H').map(header => header.split(': '))),
    ...(user !== undefined && password !== undefined && { user, password }),
    ...(body !== undefined && { body }),
  };
}

/** The words of a command line: parted by blanks, whole between single quotes, going on after a backslash at the end of a line. */
function wordsOf(line: string): string[] {
  const found = line.replaceAll('\\\n', ' ').matchAll(/(?:'[^']*'|\\'|[^\s'\\])+/g);
  return [...found].map(([word]) => word.replace(/'([^']*)'|\\'/g, (_, text?: string) => text ?? "'"));
}
