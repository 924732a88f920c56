// Starts the fake before the workers, and stops it after them.
import { startFake } from 'cwx-fake';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    fakeUrl: string;
  }
}

export default async function setup({ provide }: TestProject) {
  const fake = await startFake();
  provide('fakeUrl', fake.url);
  return () => fake.stop();
}
