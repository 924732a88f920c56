// What the journal and the explanation of each answer cost.

import type { Table } from '../../tests/support/measuring/table.js';
import { changing, SPARE_USERS } from '../harness/memberships.js';
import { compare, type Effort, resultColumns, resultRows } from '../harness/rounds.js';
import { fakeWith } from '../harness/world.js';

const MEMBERS = 1_000;
const SWITCHES = [[], ['--journal', '0'], ['--no-explain'], ['--journal', '0', '--no-explain']];

export async function switches(effort: Effort): Promise<Table> {
  const requests = changing();
  const contenders = SWITCHES.map(flags => ({
    name: flags.length === 0 ? 'journal and explanation on (the default)' : `\`${flags.join(' ')}\``,
    program: fakeWith(MEMBERS, SPARE_USERS, flags),
    requests,
  }));
  return {
    title: 'What the journal and the explanations cost',
    note: `The same POST, a group of ${MEMBERS} members.`,
    columns: ['flags', ...resultColumns],
    rows: resultRows(await compare(contenders, effort)),
  };
}
