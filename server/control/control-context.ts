// What actions know of the fake that they act on. A shape: what makes it is elsewhere.
import type { Feeds } from '../engine/events/feeds.js';
import type { Session } from '../engine/sandbox/session.js';
import type { OrLater } from '../engine/store.js';
import type { Folders } from '../scenario/load/folders.js';
import type { Loaded } from '../scenario/load/story.js';
import type { Players } from '../scenario/play/players.js';
import type { ProviderSetups } from '../scenario/states/provider-setups.js';
import type { Problems } from '../scenario/yaml/problem.js';
import type { Health } from './health.js';

export interface ControlContext {
  readonly session: Session;
  readonly folders: Folders;
  /** A scenario, or a fixture: by its name; within a program at once, and by the path of a file too. */
  open(scenario: string): OrLater<Loaded | Problems>;
  /** The text of a file from elsewhere, and the name that it has there. */
  openText(file: string, text: string): Promise<Loaded | Problems>;
  readonly players: Players;
  readonly setups: ProviderSetups;
  readonly version: string;
  /** Who listens to sandboxes. */
  readonly feeds: Feeds;
  /** What has been counted, in the text format of Prometheus. */
  metrics(): Promise<string>;
  health(): Health;
  /** The OpenAPI document of all actions, below `/_fake/v1` of a server at `root`. */
  controlOpenapi(root: string): object;
}
