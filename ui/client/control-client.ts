// The dashboard's client of the control API. It does not use `connectFake`, which is too large (200 kB compressed) and needs node:http.
import type * as wire from './wire.js';

/** The server refused, or was unreachable (status 0). */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  constructor(
    readonly status: number,
    readonly title: string,
    detail: string,
    readonly errors: readonly wire.ValidationError[] = [],
  ) {
    super(detail);
  }
}

export interface PartQuery {
  readonly collection: wire.CollectionName;
  readonly offset?: number;
  readonly limit?: number;
  readonly containing?: string;
  readonly keys?: readonly string[];
  readonly at?: number | undefined;
  readonly whole?: boolean;
}

/** A scenario by its name, or a file from elsewhere. */
export type Story = { readonly scenario: string } | wire.OpenedFile;

const BASE = '/_fake/v1';
const TOKEN = 'cwx-fake token';

export class ControlClient {
  #token = sessionStorage.getItem(TOKEN) ?? '';
  /** Called when a request has no response. */
  onUnreachable: (problem: ControlError) => void = () => {};

  /** Sent with every request until the tab is closed. */
  set token(token: string) {
    this.#token = token;
    sessionStorage.setItem(TOKEN, token);
  }

  readonly scenarios = () => this.#json<{ scenarios: wire.ListedScenario[] }>('GET', '/scenarios');
  /** The OpenAPI document of this API. */
  readonly controlOpenapi = () =>
    this.#json<{ components: { schemas: Readonly<Record<string, object>> } }>('GET', '/control-openapi.json');
  readonly ledger = () => this.#json<wire.Ledger>('GET', '/ledger');
  readonly sandboxes = () => this.#json<{ sandboxes: wire.Description[] }>('GET', '/sandboxes');
  readonly create = (body: Partial<wire.OpenedFile> & { name: string; scenario?: string }) =>
    this.#json<wire.Description>('POST', '/sandboxes', body);
  readonly replace = (name: string, body: Partial<wire.OpenedFile> & { scenario?: string }) =>
    this.#json<wire.Description>('PUT', `/sandboxes/${name}`, body);

  /** The actions on one sandbox. */
  in(sandbox: string) {
    const at = (path: string) => `/sandboxes/${encodeURIComponent(sandbox)}${path}`;
    return {
      name: sandbox,
      describe: () => this.#json<wire.Description>('GET', at('')),
      drop: () => this.#json<void>('DELETE', at('')),
      reset: () => this.#json<void>('POST', at('/reset')),
      fork: (name: string, version?: number) =>
        this.#json<wire.Description>('POST', at('/fork'), { name, ...(version !== undefined && { at: version }) }),
      world: () => this.#json<wire.JsonObject>('GET', at('/world')),
      part: ({ keys, ...query }: PartQuery) =>
        this.#json<wire.WorldPart>(
          'GET',
          at(`/world${queryOf({ ...query, ...(keys && { keys: JSON.stringify(keys) }) })}`),
        ),
      patch: (patch: wire.JsonObject) => this.#json<void>('PATCH', at('/world'), patch),
      /** Rejects as the patch would; nothing changes. */
      check: (patch: wire.JsonObject) => this.#json<void>('PATCH', at('/world?check=true'), patch),
      diff: (from: number, to: number, limit: number) =>
        this.#json<wire.Difference>('GET', at(`/diff${queryOf({ from, to, limit })}`)),
      rewind: (to: number) => this.#json<{ version: number }>('POST', at('/rewind'), { to }),
      snapshots: () => this.#json<{ snapshots: wire.Snapshot[] }>('GET', at('/snapshots')),
      keep: (name: string) => this.#json<wire.Snapshot>('POST', at('/snapshots'), name === '' ? {} : { name }),
      restore: (name: string) => this.#json<object>('POST', at(`/snapshots/${encodeURIComponent(name)}/restore`)),
      forget: (name: string) => this.#json<void>('DELETE', at(`/snapshots/${encodeURIComponent(name)}`)),
      journal: (query: { readonly entry?: number; readonly since?: number } = {}) =>
        this.#json<{ entries: wire.Entry[]; evicted: number }>('GET', at(`/journal${queryOf(query)}`)),
      har: () => this.#text('GET', at('/journal.har')),
      clearJournal: () => this.#json<void>('DELETE', at('/journal')),
      explain: (entry: number, readings?: wire.Readings) =>
        this.#json<wire.Explanation>('POST', at('/explain'), { entry, ...(readings && { readings }) }),
      readings: () => this.#json<wire.Readings>('GET', at('/readings')),
      /** Changes these, and leaves the others. */
      choose: async (changed: wire.Readings) => {
        const readings = await this.#json<wire.Readings>('GET', at('/readings'));
        return this.#json<wire.Readings>('PUT', at('/readings'), { ...readings, ...changed });
      },
      faults: () => this.#json<{ faults: wire.ArmedFault[]; waiting?: wire.Waiting[] }>('GET', at('/faults')),
      stubs: () => this.#json<{ stubs: wire.ArmedStub[] }>('GET', at('/stubs')),
      arm: (kind: 'fault' | 'stub', one: wire.JsonObject) =>
        this.#json<object>('PUT', at(`/${kind}s`), { [`${kind}s`]: [one], append: true }),
      /** Without a number: all. */
      disarm: (kind: 'fault' | 'stub', number?: number) =>
        this.#json<object>('DELETE', at(`/${kind}s${queryOf({ number })}`)),
      release: (hold: string) => this.#json<{ released: number }>('POST', at('/faults/release'), { hold }),
      clock: () => this.#json<wire.Clock>('GET', at('/clock')),
      turn: (order: wire.JsonObject) => this.#json<wire.Clock>('PUT', at('/clock'), order),
      scenario: (range: { readonly from?: number; readonly to?: number } = {}) =>
        this.#json<{ text: string }>('GET', at(`/recording${queryOf({ ...range })}`)).then(({ text }) => text),
      preview: (story: Story) => this.#json<wire.Preview>('POST', at('/play'), { ...story, preview: true }),
      play: (story: Story, step: number) =>
        this.#json<{ steps: wire.PlayedStep[] }>('POST', at('/play'), { ...story, step }),
      events: (after: string | undefined, signal: AbortSignal) =>
        this.#ask('GET', at('/events'), undefined, { signal, ...(after !== undefined && { after }) }),
    };
  }

  async #json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const text = await this.#text(method, path, body);
    return (text === '' ? undefined : JSON.parse(text)) as T; // as the API's document says
  }

  async #text(method: string, path: string, body?: unknown): Promise<string> {
    return (await this.#ask(method, path, body)).text();
  }

  async #ask(
    method: string,
    path: string,
    body?: unknown,
    { after, signal }: { readonly after?: string; readonly signal?: AbortSignal } = {},
  ): Promise<Response> {
    const response = await fetch(BASE + path, {
      method,
      headers: {
        'If-Match': '*', // looking at a sandbox that has been dropped does not create it again
        ...(this.#token !== '' && { Authorization: `Bearer ${this.#token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(after !== undefined && { 'Last-Event-ID': after }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
      credentials: 'omit',
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      const problem = new ControlError(0, 'No response', 'The server is not reachable at the moment.');
      this.onUnreachable(problem);
      throw problem;
    });
    if (!response.ok) throw await refusal(response);
    return response;
  }
}

/** The actions on one sandbox. */
export type Sandbox = ReturnType<ControlClient['in']>;

async function refusal(response: Response): Promise<ControlError> {
  const text = await response.text();
  try {
    const { title, detail, problems } = JSON.parse(text) as {
      title: string;
      detail: string;
      problems?: wire.ValidationError[];
    };
    return new ControlError(response.status, title, detail, problems);
  } catch {
    return new ControlError(response.status, `Status ${response.status}`, text.slice(0, 500));
  }
}

function queryOf(query: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' || value === false ? [] : [[name, String(value)] as [string, string]],
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}
