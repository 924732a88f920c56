// Whether a request costs the same whatever the size of the group it changes.

import type { Table } from '../../tests/support/measuring/table.js';
import { changing, SPARE_USERS } from '../harness/memberships.js';
import { compare, type Effort, resultColumns, resultRows } from '../harness/rounds.js';
import { fakeWith } from '../harness/world.js';

const SIZES = [10, 1_000, 100_000, 1_000_000];

export async function groupSizes(effort: Effort): Promise<Table> {
  const contenders = SIZES.map(members => ({
    name: `${members.toLocaleString('en-US')} members`,
    program: fakeWith(members, SPARE_USERS),
    requests: changing(),
  }));
  return {
    title: 'The same POST by the size of the group',
    note: 'Each request changes 3 memberships; up to 150 users more are in the group while they wait to be taken out again.',
    columns: ['group', ...resultColumns],
    rows: resultRows(await compare(contenders, effort)),
  };
}
