// What actions need of the fake that they act on.
import type { Feeds } from '../../engine/events/feeds.js';
import type { Holds } from '../../engine/faults/holds.js';
import type { Session } from '../../engine/session/session.js';
import type { Folders } from '../../scenario/files/folders.js';
import type { Loaded } from '../../scenario/load/load-scenario.js';
import type { Players } from '../../scenario/play/players.js';
import type { ProviderSetups } from '../../scenario/states/provider-setups.js';
import type { Problems } from '../../scenario/yaml/problem.js';
import type { Health } from './health.js';

export interface ControlContext {
  readonly session: Session;
  readonly folders: Folders;
  /** Loads a scenario or a fixture by name; within a program also by the path of a file, and synchronously. */
  open(scenario: string): Promise<Loaded | Problems>;
  /** Whether a scenario or fixture of this name is in memory, or none is needed: `''`. */
  isLoaded(scenario: string): boolean;
  /** Loads the text of a file from elsewhere, with its name there. */
  openText(file: string, text: string): Promise<Loaded | Problems>;
  readonly players: Players;
  readonly setups: ProviderSetups;
  readonly version: string;
  readonly feeds: Feeds;
  readonly holds: Holds;
  /** The metrics in the text format of Prometheus. */
  metrics(): Promise<string>;
  health(): Health;
  /** The OpenAPI document of all actions, below `/_fake/v1` of a server at `root`. */
  controlOpenapi(root: string): object;
}
