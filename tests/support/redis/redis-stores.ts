// Stores of plain values in Redis, which are closed after each test.
import { expect } from 'chai';
import { StoreError, type StoreFailure } from '../../../server/engine/store.js';
import { redisStore } from '../../../server/store/redis/redis-store.js';
import { type Kept, plainFormat } from '../../store/suite.js';
import { failure } from '../worlds/failure.js';

interface Opening {
  readonly timeout?: number;
  readonly format?: typeof plainFormat;
  readonly log?: (line: string) => void;
}

const open = new Set<Kept>();

export function storeAt(url: string, { timeout = 2000, format = plainFormat, log = () => {} }: Opening = {}): Kept {
  const store = redisStore({ url, format, timeout, log: { info: log, warn: log } });
  open.add(store);
  return store;
}

export async function openStore(url: string, opening: Opening = {}): Promise<Kept> {
  const store = storeAt(url, opening);
  await store.ready();
  return store;
}

export async function closeStores(): Promise<void> {
  for (const store of open) await store.close();
  open.clear();
}

/** The error of a call, which is a `StoreError` for this reason. */
export async function refused(call: Promise<unknown>, why: StoreFailure): Promise<StoreError> {
  const error = await failure(call, StoreError);
  expect(error.failure, error.message).to.equal(why);
  return error;
}
