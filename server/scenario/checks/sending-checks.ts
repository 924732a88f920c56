// What of a step could never be sent: found when the file is read, at its place. What is captured is not known yet and passed over.
import { headerNameFlaw, headerValueFlaw, methodFlaw, pathFlaw } from '../../derive/sending/sending.js';
import { ANONYMOUS } from '../../domain/world.js';
import type { Step } from '../format/step-format.js';
import type { Flaw, Path } from '../yaml/problem.js';

export function sendingFlaws({ as, method, request }: Step, at: Path): Flaw[] {
  const asked = [...at, 'request'];
  return [
    ...flaw([...at, 'method'], method === undefined ? undefined : methodFlaw(method)),
    ...callerFlaws(as, [...at, 'as']),
    ...(request === undefined
      ? []
      : [
          ...flaw([...asked, 'method'], methodFlaw(request.method)),
          ...flaw([...asked, 'context'], pathFlaw(known(request.context))),
          ...flaw([...asked, 'path'], pathFlaw(known(request.path))),
          ...Object.entries(request.headers ?? {}).flatMap(([name, value]) => headerFlaws(name, value, asked)),
        ]),
  ];
}

function headerFlaws(name: string, value: string, asked: Path): Flaw[] {
  const path = [...asked, 'headers', name];
  const isKnown = known(name) === name;
  return [
    ...flaw(path, isKnown ? headerNameFlaw(name) : undefined, 'key'),
    ...flaw(path, headerValueFlaw(known(value))),
  ];
}

/** Basic credentials part user and password at the first colon; a token goes over the wire as it is. */
function callerFlaws(as: Step['as'], path: Path): Flaw[] {
  if (as === undefined || as === ANONYMOUS) return [];
  if (typeof as === 'object' && 'token' in as) return flaw([...path, 'token'], headerValueFlaw(known(as.token)));
  const [user, place] = typeof as === 'string' ? [as, path] : [as.user, [...path, 'user']];
  if (!user.includes(':')) return [];
  return flaw(place, 'A user whose name has a colon cannot prove it by a password: write { token: … }.');
}

function flaw(path: Path, message: string | undefined, of?: Flaw['of']): Flaw[] {
  return message === undefined ? [] : [{ path, message, ...(of !== undefined && { of }) }];
}

/** A text without what is filled in when the step is played. */
function known(text = ''): string {
  return text.replace(/\$\{[^}]*\}/g, '');
}
