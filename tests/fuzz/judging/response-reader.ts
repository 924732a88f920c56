// Reads the responses on one connection more strictly than any client: each whole, framed correctly, and nothing in between.

export interface ApiResponse {
  readonly status: number;
  /** By names in lower case; a repeated name is refused. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const STATUS_LINE = /^HTTP\/1\.1 ([1-5]\d\d) [\t\x20-\x7e\x80-\xff]*$/;
const FIELD =
  /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*([\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?[ \t]*$/;
/** This server sends no longer heads. */
const MAX_HEAD = 32_768;

/** An error in the server's bytes. */
export class IllFormed extends Error {}

export class ResponseReader {
  #left: Buffer = Buffer.alloc(0);
  #hasEnded = false;
  #count = 0;

  /** `isHead`: whether response n, from 0 on, answers a HEAD, which has no body. */
  constructor(private readonly isHead: (number: number) => boolean) {}

  /** Whether a response has announced that it is the last. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Whether the bytes of an incomplete response are pending. */
  get isWithin(): boolean {
    return this.#left.length > 0;
  }

  /** The responses completed by these bytes. Throws `IllFormed`. */
  take(bytes: Buffer): ApiResponse[] {
    if (this.#hasEnded)
      throw new IllFormed(`${bytes.length} bytes after the last response, which said that it is the last`);
    this.#left = this.#left.length === 0 ? bytes : Buffer.concat([this.#left, bytes]);
    const responses: ApiResponse[] = [];
    for (let response = this.#next(false); response !== undefined; response = this.#next(false))
      responses.push(response);
    return responses;
  }

  /** The response completed by the end of the connection. Throws `IllFormed` if an incomplete one is left. */
  end(): ApiResponse[] {
    const response = this.#left.length === 0 ? undefined : this.#next(true);
    const isStream = /\r\ncontent-type: text\/event-stream\r\n/i.test(this.#left.toString('latin1', 0, MAX_HEAD));
    if (this.#left.length > 0 && !isStream) throw new IllFormed('the connection ended within a response'); // a stream has no end of its own
    return response === undefined ? [] : [response];
  }

  #next(isOver: boolean): ApiResponse | undefined {
    const end = this.#left.indexOf(HEAD_END);
    if (end === -1) {
      if (this.#left.length > MAX_HEAD) throw new IllFormed('a head without an end');
      return undefined;
    }
    const { status, headers } = readHead(this.#left.subarray(0, end).toString('latin1'));
    const start = end + HEAD_END.length;
    if (status < 200) {
      this.#left = this.#left.subarray(start);
      return this.#next(isOver);
    }
    const isLast = headers.get('connection')?.toLowerCase() === 'close';
    const isHead = this.isHead(this.#count);
    if (isHead && isLast && !isOver) return undefined; // a server that cannot parse a request does not know that it was HEAD, and may send a body
    const isBare = status === 204 || status === 304 || (isHead && (!isLast || this.#left.length === start));
    const framed = isBare ? { body: Buffer.alloc(0), end: start } : this.#framed(headers, start, isOver);
    if (framed === undefined) return undefined;
    const response = { status, headers, body: framed.body };
    this.#left = this.#left.subarray(framed.end);
    this.#hasEnded = isLast;
    if (this.#hasEnded && this.#left.length > 0)
      throw new IllFormed('bytes after a response that said that it is the last');
    this.#count += 1;
    checkContent(response);
    return response;
  }

  #framed(headers: ApiResponse['headers'], start: number, isOver: boolean): { body: Buffer; end: number } | undefined {
    const length = headers.get('content-length');
    if (length !== undefined) {
      const end = start + Number(length);
      return this.#left.length < end ? undefined : { body: this.#left.subarray(start, end), end };
    }
    if (headers.get('transfer-encoding') === 'chunked') return unchunked(this.#left, start);
    if (headers.get('connection')?.toLowerCase() !== 'close')
      throw new IllFormed('a response without a length on a connection that goes on');
    return isOver ? { body: this.#left.subarray(start), end: this.#left.length } : undefined;
  }
}

function readHead(text: string): { status: number; headers: Map<string, string> } {
  const [line = '', ...fields] = text.split('\r\n');
  const status = STATUS_LINE.exec(line)?.[1];
  if (status === undefined) throw new IllFormed(`a status line that is none: ${JSON.stringify(line.slice(0, 100))}`);
  const headers = new Map<string, string>();
  for (const field of fields) {
    const [, name, value = ''] = FIELD.exec(field) ?? [];
    if (name === undefined) throw new IllFormed(`a header that is none: ${JSON.stringify(field.slice(0, 100))}`);
    const key = name.toLowerCase();
    if (headers.has(key)) throw new IllFormed(`the header ${name} twice`);
    headers.set(key, value);
  }
  const length = headers.get('content-length');
  if (length !== undefined && !/^\d{1,15}$/.test(length)) throw new IllFormed(`a length that is none: ${length}`);
  const coding = headers.get('transfer-encoding');
  if (coding !== undefined && (coding !== 'chunked' || length !== undefined))
    throw new IllFormed('two framings, or an unknown one');
  const isBare = Number(status) < 200 || status === '204';
  if (isBare && (length !== undefined || coding !== undefined))
    throw new IllFormed(`a framing of the body that ${status} has not`);
  return { status: Number(status), headers };
}

function unchunked(bytes: Buffer, start: number): { body: Buffer; end: number } | undefined {
  const chunks: Buffer[] = [];
  for (let at = start; ; ) {
    const line = bytes.indexOf('\r\n', at);
    if (line === -1) return undefined;
    const text = bytes.subarray(at, line).toString('latin1');
    if (!/^[0-9a-f]{1,8}$/i.test(text))
      throw new IllFormed(`a chunk that is none: ${JSON.stringify(text.slice(0, 50))}`);
    const end = line + 2 + Number.parseInt(text, 16);
    if (bytes.length < end + 2) return undefined;
    if (bytes.subarray(end, end + 2).toString('latin1') !== '\r\n')
      throw new IllFormed('a chunk that is longer than it says');
    if (end === line + 2) return { body: Buffer.concat(chunks), end: end + 2 };
    chunks.push(bytes.subarray(line + 2, end));
    at = end + 2;
  }
}

/** A body declared as JSON must be JSON. */
function checkContent({ headers, body, status }: ApiResponse): void {
  const type = headers.get('content-type') ?? '';
  if (body.length === 0 || !/^application\/(?:json|problem\+json)\b/.test(type) || headers.has('x-fake-fault')) return;
  try {
    JSON.parse(body.toString('utf8'));
  } catch {
    throw new IllFormed(
      `${status} says that it is JSON, and it is none: ${JSON.stringify(body.toString('utf8').slice(0, 100))}`,
    );
  }
}
