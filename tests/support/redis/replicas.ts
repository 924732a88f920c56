// Servers on one store that show each other's changes: replicas on a Redis, and one server that is restarted on its folder.
import { join } from 'node:path';
import type { Running } from '../../../server/process/start.js';
import type { FlagValues } from '../../../server/settings/settings.js';
import { type Scratch, scratch } from '../files/scratch.js';
import { type RawResponse, send, sendJson, serving } from '../wire/server.js';
import { hasRedis, RedisServer } from './redis-servers.js';

export const ADD = '/rest/cwxapiextension/latest/groups/add-users';

/** One server, asked as somebody would who knows where it is. */
export class Replica {
  constructor(private readonly at: { readonly url: string }) {}

  get url(): string {
    return this.at.url;
  }

  /** Asks the control API, below `/_fake/v1`. */
  control(method: string, path: string, body?: unknown): Promise<RawResponse> {
    const url = `${this.url}/_fake/v1${path}`;
    return body === undefined ? send(url, { method }) : sendJson(url, method, body);
  }

  /** Reads from the control API; throws unless it answers 200. */
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

  /** Who is in the group `customers`. */
  async customers(sandbox: string): Promise<readonly string[]> {
    const { groups } = await this.read<{ groups: { customers: readonly string[] } }>(`/sandboxes/${sandbox}/world`);
    return groups.customers;
  }
}

/** A store with servers on it. */
export interface Ground {
  readonly name: string;
  /** Begins them with these flags. */
  begin(flags?: FlagValues): Promise<void>;
  /** Another server than the one before, or the same begun again: whoever is asked has to tell it all. */
  next(): Promise<Replica>;
  /** Ends the servers, and what they have kept is gone. */
  end(): Promise<void>;
}

/** Where a test of what every server tells is run: on a folder, and on a Redis where there is one. */
export function grounds(): readonly Ground[] {
  return hasRedis() ? [new FolderGround(), new RedisGround()] : [new FolderGround()];
}

export class RedisGround implements Ground {
  readonly name = 'replicas on one Redis';
  #engine: RedisServer | undefined;
  #running: readonly Running[] = [];
  #replicas: readonly Replica[] = [];
  #turn = 0;

  constructor(private readonly size = 3) {}

  get engine(): RedisServer {
    if (this.#engine === undefined) throw new Error('no Redis has been started');
    return this.#engine;
  }

  get replicas(): readonly [Replica, Replica, ...Replica[]] {
    const [first, second, ...others] = this.#replicas;
    if (first === undefined || second === undefined) throw new Error('no replicas have been started');
    return [first, second, ...others];
  }

  async begin(flags: FlagValues = {}): Promise<void> {
    this.#engine = await RedisServer.start({ persistence: 'aof-everysec', lines: ['appendfsync no'] }); // written before it answers
    const { url: store } = this.#engine;
    const starting = Array.from({ length: this.size }, () => serving(undefined, { store, ...flags }));
    this.#running = await Promise.all(starting);
    this.#replicas = this.#running.map(running => new Replica(running));
  }

  async next(): Promise<Replica> {
    this.#turn += 1;
    const replica = this.#replicas[this.#turn % this.#replicas.length];
    if (replica === undefined) throw new Error('no replicas have been started');
    return replica;
  }

  async end(): Promise<void> {
    await Promise.all(this.#running.map(({ stop }) => stop()));
    await this.#engine?.stop();
  }
}

export class FolderGround implements Ground {
  readonly name = 'one server that is begun again on its folder';
  #folder: Scratch | undefined;
  #flags: FlagValues = {};
  #running: Running | undefined;

  async begin(flags: FlagValues = {}): Promise<void> {
    this.#folder = scratch();
    this.#flags = flags;
  }

  async next(): Promise<Replica> {
    await this.#running?.stop();
    const folder = this.#folder;
    if (folder === undefined) throw new Error('no folder has been made');
    const running = await serving(undefined, { store: `file:${join(folder.path, 'kept')}`, ...this.#flags });
    this.#running = running;
    return new Replica(running);
  }

  async end(): Promise<void> {
    await this.#running?.stop();
    this.#running = undefined;
    this.#folder?.drop();
  }
}
