// What a request costs beside the least that Koa can do with it, and beside the usual stack without a domain.

import type { Table } from '../../tests/support/measuring/table.js';
import { changing, SPARE_USERS, unchanging } from '../harness/memberships.js';
import { compare, type Effort, resultColumns, resultRows } from '../harness/rounds.js';
import { fakeWith } from '../harness/world.js';

const MEMBERS = 100_000;

export async function addUsers(effort: Effort): Promise<Table> {
  const requests = changing();
  const fake = fakeWith(MEMBERS, SPARE_USERS);
  const results = await compare(
    [
      { name: 'bare Koa, body ignored, constant JSON', program: { script: 'bench/peers/bare-koa.js' }, requests },
      { name: 'koa-bodyparser, @koa/router, ajv', program: { script: 'bench/peers/plain-koa.js' }, requests },
      { name: '**cwx-fake**, each request changes 3 memberships', program: fake, requests },
      { name: 'cwx-fake, nothing to change', program: fake, requests: unchanging(MEMBERS) },
    ],
    effort,
  );
  return {
    title: 'One POST to groups/add-users',
    note: `Three users, a group of ${MEMBERS} members, Basic, validated, journalled, explained. They are no members when they are added; remove-users takes them out again in every second request, so that all requests change something and the group keeps its size. The peers get the same requests.`,
    columns: ['server', ...resultColumns],
    rows: resultRows(results),
  };
}
