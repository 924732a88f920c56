// The worlds that servers are measured on, written as a fixture and a scenario where `serve` finds them. Knows no measurement.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Program } from './child.js';
import { scratch } from './places.js';

/** The group of a generated world that has all of its users. */
export const GROUP = 'all-users';

/** One of the users that a recipe makes, from 0 on. */
export function memberName(i: number): string {
  return `user${i + 1}`;
}

/** One of those laid over them, who are in no group. */
export function spareName(i: number): string {
  return `spare${i + 1}`;
}

/** The page that a world with a text has, as requests name it. */
export const PAGE = { spaceKey: 'bench', pageTitle: 'Text' };

/** cwx-fake on a world with one group of so many members, and some users who are not in it; `text`: with a page of this text. */
export function fakeWith(members: number, spares: number, flags: readonly string[] = [], text = ''): Program {
  const name = `bench-${members}-${spares}-${text.length}`;
  for (const folder of ['fixtures', 'scenarios']) mkdirSync(join(scratch, folder), { recursive: true });
  writeFileSync(join(scratch, 'fixtures', `${name}.yaml`), fixture(members, spares, text));
  writeFileSync(join(scratch, 'scenarios', `${name}.yaml`), `title: ${name}\nfixture: ${name}\nsteps: []\n`);
  const folders = ['--fixtures', join(scratch, 'fixtures'), '--scenarios', join(scratch, 'scenarios')];
  const young = '--max-semi-space-size=64'; // as npm start and the image
  return { script: 'server/cli.js', flags: [young], args: ['serve', name, '--port', '0', ...folders, ...flags] };
}

function fixture(members: number, spares: number, text: string): string {
  const names = Array.from({ length: spares }, (_, i) => `  ${spareName(i)}: {}`);
  const admin = '  admin: { admin: true, password: admin }';
  const lines = [`generate: { users: ${members}, groups: 1 }`, 'users:', admin, ...names];
  if (text === '') return `${lines.join('\n')}\n`;
  const { spaceKey, pageTitle } = PAGE;
  const page = `  1: { space: ${spaceKey}, title: ${pageTitle}, body: ${JSON.stringify(text)} }`;
  return [...lines, 'spaces:', `  ${spaceKey}: { admins: [admin] }`, 'pages:', page, ''].join('\n');
}
