// Parses the bytes of a connection as HTTP/1.1 answers, tolerantly: any kind of line break ends a header.

export interface Answer {
  readonly status: number;
  /** Names in lower case, in their order. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  readonly text: string;
  /** Whether its body is complete. */
  readonly isWhole: boolean;
}

const HEAD_END = '\r\n\r\n';
/** The answers in these bytes; the last may be incomplete. `isEnded`: no more bytes will come. */
export function answersIn(bytes: Buffer, isEnded: boolean): readonly Answer[] {
  const answers: Answer[] = [];
  let rest = bytes;
  for (;;) {
    const at = rest.indexOf(HEAD_END);
    if (at === -1) return answers;
    const [line = '', ...fields] = rest
      .subarray(0, at)
      .toString('latin1')
      .split(/\r\n|\r|\n/);
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(line)?.[1] ?? 0);
    const headers = fields.map(fieldOf);
    const body = bodyIn(rest.subarray(at + HEAD_END.length), status, headers, isEnded);
    if (status >= 200 || status === 0)
      answers.push({
        status,
        headers,
        text: body.bytes.toString('utf8'),
        isWhole: body.isWhole,
      });
    if (!body.isWhole || status === 0) return answers;
    rest = body.rest;
  }
}

/** The value of a header; the first of several. */
export function headerOf({ headers }: Answer, name: string): string | undefined {
  return headers.find(([other]) => other === name)?.[1];
}

function fieldOf(line: string): readonly [string, string] {
  const at = line.indexOf(':');
  return at === -1 ? [line.toLowerCase(), ''] : [line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()];
}

interface BodyIn {
  readonly bytes: Buffer;
  readonly rest: Buffer;
  readonly isWhole: boolean;
}

function bodyIn(bytes: Buffer, status: number, headers: Answer['headers'], isEnded: boolean): BodyIn {
  const value = (name: string) => headers.find(([other]) => other === name)?.[1];
  const nothing = Buffer.alloc(0);
  if (status < 200 || status === 204 || status === 304) return { bytes: nothing, rest: bytes, isWhole: true };
  if (value('transfer-encoding')?.toLowerCase() === 'chunked') return chunkedIn(bytes);
  const length = value('content-length');
  if (length === undefined) return { bytes, rest: nothing, isWhole: isEnded };
  const size = Number(length);
  return { bytes: bytes.subarray(0, size), rest: bytes.subarray(size), isWhole: bytes.length >= size };
}

function chunkedIn(bytes: Buffer): BodyIn {
  const pieces: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = lineEnd === -1 ? Number.NaN : Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    const end = lineEnd + 2 + size;
    if (!(end + 2 <= bytes.length)) return { bytes: Buffer.concat(pieces), rest: Buffer.alloc(0), isWhole: false };
    if (size === 0) return { bytes: Buffer.concat(pieces), rest: bytes.subarray(end + 2), isWhole: true };
    pieces.push(bytes.subarray(lineEnd + 2, end));
    at = end + 2;
  }
}
