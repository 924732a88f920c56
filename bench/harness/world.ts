// The worlds that servers are measured on, written as a fixture and a scenario where `serve` finds them. Knows no measurement.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Program } from './child.js';
import { scratch } from './places.js';

/** The group of a generated world that has all of its users. */
export const GROUP = 'all-users';

/** One of the users laid over those that a recipe makes, who are in no group. */
export function spareName(i: number): string {
  return `spare${i + 1}`;
}

/** cwx-fake on a fixture, in one line of YAML, with some users more who are in no group. */
export function fakeWith(fixture: string, spares: number, flags: readonly string[] = []): Program {
  const name = `bench-${fixture.replace(/\W+/g, '-')}-${spares}`;
  for (const folder of ['fixtures', 'scenarios']) mkdirSync(join(scratch, folder), { recursive: true });
  const names = Array.from({ length: spares }, (_, i) => `  ${spareName(i)}: {}`);
  const admin = '  admin: { admin: true, password: admin }';
  writeFileSync(join(scratch, 'fixtures', `${name}.yaml`), [fixture, 'users:', admin, ...names, ''].join('\n'));
  writeFileSync(join(scratch, 'scenarios', `${name}.yaml`), `title: ${name}\nfixture: ${name}\nsteps: []\n`);
  const folders = ['--fixtures', join(scratch, 'fixtures'), '--scenarios', join(scratch, 'scenarios')];
  const young = '--max-semi-space-size=64'; // as npm start and the image
  return { script: 'server/cli.js', flags: [young], args: ['serve', name, '--port', '0', ...folders, ...flags] };
}
