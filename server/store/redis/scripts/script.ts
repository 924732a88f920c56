// A Lua script that runs atomically in Redis.
import { createHash } from 'node:crypto';

export interface Script {
  readonly text: string;
  readonly sha: string;
}

/** The first two elements of every response are the outcome, and the engine's time in microseconds. */
export function scriptOf(text: string): Script {
  const whole = `${CLOCK}${text}`;
  return { text: whole, sha: createHash('sha1').update(whole).digest('hex') };
}

const CLOCK = `
local time = redis.call('TIME')
local micros = time[1] * 1000000 + time[2]
local now = math.floor(micros / 1000)
`;
