// Parts of a step that could never be sent, found when the file is read. Captured values are not known yet and are skipped.
import { headerNameError, headerValueError, methodError, pathError } from '../../derive/sending/sending.js';
import type { Path } from '../../domain/json/json-pointer.js';
import { ANONYMOUS } from '../../domain/world/world.js';
import { REFERENCE } from '../../engine/patterns/captures.js';
import type { Step } from '../format/step-format.js';
import type { ValueError } from '../yaml/problem.js';

export function sendingErrors({ as, method, request }: Step, at: Path): ValueError[] {
  const asked = [...at, 'request'];
  return [
    ...error([...at, 'method'], method === undefined ? undefined : methodError(method)),
    ...callerErrors(as, [...at, 'as']),
    ...(request === undefined
      ? []
      : [
          ...error([...asked, 'method'], methodError(request.method)),
          ...error([...asked, 'context'], pathError(known(request.context))),
          ...error([...asked, 'path'], pathError(known(request.path))),
          ...Object.entries(request.headers ?? {}).flatMap(([name, value]) => headerErrors(name, value, asked)),
        ]),
  ];
}

function headerErrors(name: string, value: string, asked: Path): ValueError[] {
  const path = [...asked, 'headers', name];
  const isKnown = known(name) === name;
  return [
    ...error(path, isKnown ? headerNameError(name) : undefined, 'key'),
    ...error(path, headerValueError(known(value))),
  ];
}

/** Basic credentials are split at the first colon; a token is sent unchanged. */
function callerErrors(as: Step['as'], path: Path): ValueError[] {
  if (as === undefined || as === ANONYMOUS) return [];
  if (typeof as === 'object' && 'token' in as) return error([...path, 'token'], headerValueError(known(as.token)));
  const [user, place] = typeof as === 'string' ? [as, path] : [as.user, [...path, 'user']];
  if (!user.includes(':')) return [];
  return error(place, 'A user name with a colon cannot be sent with a password: write { token: … }.');
}

function error(path: Path, message: string | undefined, of?: ValueError['of']): ValueError[] {
  return message === undefined ? [] : [{ path, message, ...(of !== undefined && { of }) }];
}

/** A text without the placeholders that are filled in later. */
function known(text = ''): string {
  return text.replace(REFERENCE, '');
}
