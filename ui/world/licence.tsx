// The licence of the push and pull add-on, changed by a choice.
import { route } from '../live/route.js';
import { client } from '../live/sandbox.js';
import { Choice } from '../parts/field.js';
import { ProblemNote } from '../parts/problem-note.js';
import { useAction } from '../parts/resource.js';
import { undoable } from '../parts/undo.js';

const licences = ['valid', 'expired', 'none'].map(name => [name, name] as const);

export function Licence({ ppf }: { readonly ppf: string }) {
  const { error, run } = useAction();
  const choose = (chosen: string) =>
    run(() =>
      undoable(`Licence: ${chosen}`, () => client.in(route.peek().sandbox).patch({ licence: { ppf: chosen } })),
    );
  return (
    <div class="licence">
      <span>Licence</span>
      <Choice label="Licence" value={ppf} isOff={route.value.query.has('at')} options={licences} onChange={choose} />
      <ProblemNote error={error.value} />
    </div>
  );
}
