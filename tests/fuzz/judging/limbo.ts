// The fate of a request whose sender broke the connection: performed once, or not at all.
import type { Case } from '../cases/cases.js';
import type { Control } from '../lanes/control.js';
import { Shadow } from './judged.js';

/** `form`: the world that the sandbox would have started with. */
export async function limboProblem(
  control: Control,
  name: string,
  { asked }: Case,
  form: object,
): Promise<string | undefined> {
  if (!(await control.has(name))) return undefined;
  const world = await control.world(name);
  const entries = await control.entries(name);
  const shadow = new Shadow(form);
  const before = shadow.difference(world);
  for (const { request } of asked) shadow.perform(request);
  const after = shadow.difference(world);
  await control.order('DELETE', `/sandboxes/${name}`);
  if (entries.length > asked.length) return `it was performed ${entries.length} times`;
  return before === undefined || after === undefined ? undefined : `it has half happened: ${after}`;
}
