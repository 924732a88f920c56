// Servers on one Redis, and requests to them.
import type { Running } from '../../../server/process/start.js';
import type { FlagValues } from '../../../server/settings/settings.js';
import { type RawResponse, send, sendJson, serving } from '../wire/server.js';
import { DURABLE, RedisServer } from './redis-servers.js';

export const ADD = '/rest/cwxapiextension/latest/groups/add-users';

export class Replica {
  constructor(private readonly at: { readonly url: string }) {}

  get url(): string {
    return this.at.url;
  }

  call(sandbox: string, path: string): Promise<RawResponse> {
    return sendJson(`${this.url}/~${sandbox}${path}`, 'POST', undefined, 'admin');
  }

  control(method: string, path: string, body?: unknown): Promise<RawResponse> {
    const url = `${this.url}/_fake/v1${path}`;
    return body === undefined ? send(url, { method }) : sendJson(url, method, body);
  }

  async read<T>(path: string): Promise<T> {
    const { status, json, text } = await this.control('GET', path);
    if (status !== 200) throw new Error(`GET ${path} gave ${status}: ${text}`);
    return json as T; // held to the document by who has sent it
  }

  /** Adds a user to the group `customers`, which is a change the first time. */
  add(sandbox: string, user: string, headers: Record<string, string> = {}): Promise<RawResponse> {
    const body = { group: 'customers', users: [user] };
    return sendJson(`${this.url}/~${sandbox}${ADD}`, 'POST', body, undefined, headers);
  }

  async customers(sandbox: string): Promise<readonly string[]> {
    const { groups } = await this.read<{ groups: { customers: readonly string[] } }>(`/sandboxes/${sandbox}/world`);
    return groups.customers;
  }
}

export class Replicas {
  private constructor(
    readonly engine: RedisServer,
    private readonly running: readonly Running[],
  ) {}

  static async begin(count: number, flags: FlagValues = {}): Promise<Replicas> {
    const engine = await RedisServer.start({ lines: DURABLE });
    const starting = Array.from({ length: count }, () => serving(undefined, { store: engine.url, ...flags }));
    return new Replicas(engine, await Promise.all(starting));
  }

  get all(): readonly [Replica, Replica, ...Replica[]] {
    return this.running.map(one => new Replica(one)) as [Replica, Replica]; // there are at least two
  }

  async end(): Promise<void> {
    await Promise.all(this.running.map(({ stop }) => stop()));
    await this.engine.stop();
  }
}
