// A whole run against real servers: three replicas on one Redis or a Cluster, traffic, kills and moving slots, and the check of everything.
import { formOf } from '../../server/domain/form/form.js';
import { randomOf } from '../../server/engine/faults/random.js';
import { RedisCluster } from '../support/redis/redis-clusters.js';
import { type Engine, RedisServer } from '../support/redis/redis-servers.js';
import { TcpProxy } from '../support/wire/tcp-proxy.js';
import { smallTeam } from '../support/worlds/ask.js';
import { type Checked, check } from './checking/check.js';
import { type Course, run } from './course.js';
import { problemOf } from './kept.js';
import type { Recorder } from './recorder.js';
import { cellsIn } from './replicas/asked.js';
import { ServedReplica } from './replicas/served-replica.js';

export interface Trial {
  readonly seed: number;
  /** Through each of three replicas. */
  readonly operations: number;
  readonly lanes: number;
  /** How often the engine, and a replica, is killed by -9. In a Cluster each sandbox moves as often instead of the engine being killed. */
  readonly kills: number;
  readonly isCluster?: boolean;
  readonly engine?: Engine;
  readonly say?: (line: string) => void;
}

export interface Tried {
  readonly recorder: Recorder;
  readonly checked: Checked;
  /** Milliseconds of the traffic. */
  readonly duration: number;
  /** All errors found; empty without any. */
  readonly problem: string;
}

/** Milliseconds for which the engine is down. */
const AWAY_MS = 300;
/** Replies of Redis that one replica never receives, and the deadline for the next loss: the replica may be idle. */
export const LOST_FOR_EACH_KILL = 20;
const LOST_WITHIN_MS = 1_000;
/** Acknowledged data has been written, though not to the disk: kill -9 loses none of it. With everysec Redis may delay a write while it syncs. */
const WRITTEN = ['appendfsync no'];
export const SANDBOXES = ['hot-1', 'hot-2', 'hot-3', 'hot-4'];

export async function tryOut(trial: Trial): Promise<Tried> {
  const kind = trial.engine && { engine: trial.engine };
  const engine = trial.isCluster
    ? await RedisCluster.start({ ...kind })
    : await RedisServer.start({ ...kind, persistence: 'aof-everysec', lines: WRITTEN });
  const proxy = engine instanceof RedisServer ? await TcpProxy.to(engine.port) : undefined;
  const replicas: ServedReplica[] = [];
  try {
    const urls = [proxy === undefined ? engine.url : `redis://127.0.0.1:${proxy.port}`, engine.url, engine.url];
    for (const [i, url] of urls.entries()) replicas.push(await ServedReplica.start(`replica ${i + 1}`, url));
    for (const sandbox of SANDBOXES) await replicas[0]?.make(sandbox);
    const cells = cellsIn(formOf(smallTeam));
    const { seed, operations, lanes } = trial;
    const sandboxes = new Map(SANDBOXES.map(name => [name, cells]));
    const ofEngine = engine instanceof RedisCluster ? moving(trial, engine) : leaving(trial, engine);
    const troubles = [...killing(trial, replicas), ...ofEngine, ...(proxy === undefined ? [] : losing(trial, proxy))];
    const began = performance.now();
    const recorder = await run({ seed, replicas, operations, lanes, sandboxes, troubles });
    return judged(trial, recorder, performance.now() - began);
  } finally {
    await Promise.all(replicas.map(replica => replica.stop()));
    await proxy?.close();
    await engine.stop();
  }
}

type Troubles = NonNullable<Course['troubles']>;

/** At even intervals, one after the other. */
function spread(count: number, first: number, happens: (turn: number) => Promise<void>): Troubles {
  let last = Promise.resolve();
  return Array.from({ length: count }, (_, turn) => ({
    at: (turn + first) / count,
    happens: () => {
      last = last.then(() => happens(turn));
      return last;
    },
  }));
}

function killing(trial: Trial, replicas: readonly ServedReplica[]): Troubles {
  const random = randomOf(trial.seed);
  return spread(trial.kills, 0.6, async () => {
    const replica = replicas[random(replicas.length)];
    trial.say?.(`kill -9 of ${replica?.name}`);
    await replica?.restart();
    trial.say?.(`${replica?.name} is back`);
  });
}

function leaving(trial: Trial, engine: RedisServer): Troubles {
  return spread(trial.kills, 0.3, async () => {
    trial.say?.('kill -9 of Redis');
    await engine.kill9();
    await new Promise(resolve => setTimeout(resolve, AWAY_MS));
    await engine.restart();
    trial.say?.('Redis is back');
  });
}

/** Redis executes the command of one replica on a sandbox, and the replica gets no reply. */
function losing({ kills }: Trial, proxy: TcpProxy): Troubles {
  return spread(kills * LOST_FOR_EACH_KILL, 0.5, async turn => {
    const lost = proxy.loseResponseTo(`{${SANDBOXES[turn % SANDBOXES.length]}}`);
    await Promise.race([lost, new Promise(resolve => setTimeout(resolve, LOST_WITHIN_MS))]);
  });
}

/** Each hot sandbox moves to the next master, again and again. */
function moving(trial: Trial, cluster: RedisCluster): Troubles {
  return spread(trial.kills * SANDBOXES.length, 0.5, async turn => {
    const slot = await cluster.slotOf(`{${SANDBOXES[turn % SANDBOXES.length]}}`);
    const from = await cluster.masterOf(slot);
    const to = cluster.masters[(cluster.masters.indexOf(from) + 1) % cluster.masters.length] ?? from;
    await cluster.moveSlot(slot, to, () => new Promise(resolve => setTimeout(resolve, 50)));
    trial.say?.(`slot ${slot} is moved`);
  });
}

function judged(trial: Trial, recorder: Recorder, duration: number): Tried {
  const histories = recorder.histories();
  const checked = check(histories);
  return { recorder, checked, duration, problem: problemOf(checked, histories, recorder.odd, commandOf(trial)) };
}

/** The command that runs it again. */
export function commandOf({ seed, operations, lanes, kills, isCluster, engine }: Trial): string {
  const flags = `--operations ${operations} --seed ${seed} --lanes ${lanes} --kills ${kills}`;
  return `${engine === undefined ? '' : `STORE_ENGINE=${engine} `}npm run linearizable -- ${flags}${isCluster ? ' --cluster' : ''}`;
}
