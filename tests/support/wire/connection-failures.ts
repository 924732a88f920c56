// The words for failed connections, for tests about something else. Their wording: tests/derive/text/connection-failure.test.ts.
import { connectionFailure } from '../../../server/derive/text/connection-failure.js';

const worded = (code: string, message = '') => connectionFailure(Object.assign(new Error(message), { code }));

export const REFUSED = worded('ECONNREFUSED');
export const CLOSED = worded('ECONNRESET');
export const CUT_SHORT = worded('ECONNRESET', 'aborted');
