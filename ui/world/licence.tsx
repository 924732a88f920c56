// The licence of the push and pull add-on, changed by a choice.
import { route } from '../live/route.js';
import { client } from '../live/sandbox.js';
import { ProblemNote } from '../parts/problem-note.js';
import { useAction } from '../parts/resource.js';
import { undoable } from '../parts/undo.js';

const licences = ['valid', 'expired', 'none'];

export function Licence({ ppf }: { readonly ppf: string }) {
  const { error, run } = useAction();
  const isPast = route.value.query.has('at');
  return (
    <label class="licence">
      <span>Licence</span>
      <select
        value={ppf}
        disabled={isPast}
        onChange={event => {
          const chosen = event.currentTarget.value;
          run(() =>
            undoable(`Licence: ${chosen}`, () => client.in(route.peek().sandbox).patch({ licence: { ppf: chosen } })),
          );
        }}
      >
        {licences.map(name => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <ProblemNote error={error.value} />
    </label>
  );
}
