// Which of the effects that steps expect were read back. Pure.
import { isObject } from '../../server/domain/form/patch.js';
import type { FailedStep } from './diagnosis.js';

/** No REST resource shows these. */
const hidden: ReadonlySet<string> = new Set(['spaces.admins', 'spaces.sidebar']);

/** The parts of the world, such as `favourites.filters`, that steps expect and that none of the passed ones has shown. */
export function unseenEffects(passed: readonly FailedStep[], all: readonly FailedStep[]): string[] {
  const shown = new Set(
    passed.flatMap(({ played: { seen, step } }) =>
      expectedIn(step.then).flatMap(({ place, key, fields }) => {
        const value = seen?.get(`${place}/${key}`)?.value;
        const isShown = (field: string) => !isObject(value) || field === '' || Object.hasOwn(value, field);
        return seen?.has(`${place}/${key}`) ? fields.filter(isShown).map(field => partOf(place, field)) : [];
      }),
    ),
  );
  const expected = all.flatMap(({ played: { step } }) =>
    expectedIn(step.then).flatMap(({ place, fields }) => fields.map(field => partOf(place, field))),
  );
  return [...new Set(expected)].filter(part => !shown.has(part) && !hidden.has(part));
}

function partOf(place: string, field: string): string {
  return field === '' ? place : `${place}.${field}`;
}

/** The records in `then`, with the fields of each; a record that is a list, or absent, has the field ''. */
function expectedIn(then: unknown) {
  return Object.entries(isObject(then) ? then : {}).flatMap(([place, records]) =>
    Object.entries(isObject(records) ? records : {}).map(([key, record]) => {
      const fields = isObject(record) ? Object.keys(record).filter(field => !field.startsWith('$')) : [];
      return { place, key, fields: fields.length === 0 ? [''] : fields };
    }),
  );
}
