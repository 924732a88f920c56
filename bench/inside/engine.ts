// Measures inside one process what the engine takes of a request: who asks, validation, decision, facts, log and journal, by the size of the group.
// Prints its figures as JSON. Knows no HTTP.
import type { Request } from '../../server/engine/request/request.js';
import { post, sessionOn, userName, worldOf } from './asking.js';
import { type Figure, microseconds } from './clocked.js';

const SIZES = [10, 1_000, 100_000, 1_000_000];
const TRIPLES = 2_000;

const figures: Figure[] = [];
for (const members of SIZES) {
  const session = sessionOn(worldOf({ users: members + TRIPLES * 3, members, pages: 1 }));
  const changing = Array.from({ length: TRIPLES }, (_, i) => {
    const users = [0, 1, 2].map(k => userName(members + i * 3 + k));
    return [membership('add-users', users), membership('remove-users', users)];
  }).flat();
  const same = Array.from({ length: TRIPLES }, (_, i) =>
    membership(
      'add-users',
      [0, 1, 2].map(k => userName((i * 7 + k) % members)),
    ),
  );
  const of = `a group of ${members.toLocaleString('en-US')}`;
  figures.push({ what: `3 changes of ${of}`, unit: 'µs', values: await taken(changing) });
  figures.push({ what: `nothing to change in ${of}`, unit: 'µs', values: await taken(same) });

  function taken(requests: readonly Request[]): Promise<number[]> {
    return microseconds(24, 2_000, i => session.respond('default', requests[i % requests.length] as Request)); // within the list
  }
}
console.log(JSON.stringify(figures));

function membership(name: string, users: readonly string[]): Request {
  return post(`/groups/${name}`, {}, { group: 'big', users });
}
