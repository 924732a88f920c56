// Attacks with ambiguous requests (request smuggling): each must be refused, or read in one way only.
import type { Answer } from '../answers.js';
import type { Attack } from '../attack.js';
import type { Instance } from '../instance.js';
import type { Trial } from '../trial.js';

/** A hidden second request: a server that answers it has read the bounds differently. */
const HIDDEN = 'GET /_fake/health?hidden HTTP/1.1\r\nHost: doctor.example\r\n\r\n';

const SWALLOWED = 'no answer: what comes next on the connection is taken as a part of it';

interface Shape {
  readonly name: string;
  /** Without request line and Host. */
  readonly headers: string;
  readonly body?: string;
  /** Whether a standard allows it with one interpretation (RFC 9112, 2.2 and 5.2). */
  readonly mayBeRead?: true;
}

const chunks = `0\r\n\r\n${HIDDEN}`;
const size = `Content-Length: ${chunks.length}\r\n`;
const shapes: readonly Shape[] = [
  { name: 'Content-Length with Transfer-Encoding', headers: `${size}Transfer-Encoding: chunked\r\n`, body: chunks },
  { name: 'Transfer-Encoding with Content-Length', headers: `Transfer-Encoding: chunked\r\n${size}`, body: chunks },
  { name: 'two lengths', headers: `Content-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n`, body: HIDDEN },
  { name: 'two lengths in one', headers: `Content-Length: 0, ${HIDDEN.length}\r\n`, body: HIDDEN },
  { name: 'a length with a sign', headers: `Content-Length: +${HIDDEN.length}\r\n`, body: HIDDEN },
  { name: 'a blank before the colon of a length', headers: `Content-Length : ${HIDDEN.length}\r\n`, body: HIDDEN },
  { name: 'a blank before the colon of a coding', headers: `Transfer-Encoding : chunked\r\n${size}`, body: chunks },
  { name: 'an unknown coding', headers: `Transfer-Encoding: xchunked\r\n${size}`, body: chunks },
  { name: 'a coding after chunked', headers: `Transfer-Encoding: chunked, identity\r\n${size}`, body: chunks },
  { name: 'a folded coding', headers: `Transfer-Encoding:\r\n chunked\r\n${size}`, body: chunks },
  { name: 'a carriage return within a header', headers: `X-A: b\rTransfer-Encoding: chunked\r\n${size}`, body: chunks },
  { name: 'a chunk size with 0x', headers: 'Transfer-Encoding: chunked\r\n', body: `0x0\r\n\r\n${HIDDEN}` },
  { name: 'a chunk longer than its size', headers: 'Transfer-Encoding: chunked\r\n', body: `1\r\nab${chunks}` },
  { name: 'a folded header', headers: 'X-A: b\r\n c\r\nContent-Length: 0\r\n', mayBeRead: true },
  { name: 'bare line feeds', headers: 'X-A: b\nX-B: c\nContent-Length: 0\r\n', mayBeRead: true },
];

export const requestSmuggling: Attack = {
  name: 'request-smuggling',
  defends: 'Behind a proxy nobody hides a request within a request, or poisons the next one on a connection.',
  tries: 'Requests whose bounds can be read in two ways are sent, each with an ordinary one behind it.',
  remedy: 'Start Node without --insecure-http-parser.',
  run: async instance => {
    const trials: Trial[] = [];
    for (const shape of shapes) trials.push(await tryShape(instance, shape));
    return { trials };
  },
};

async function tryShape(instance: Instance, shape: Shape): Promise<Trial> {
  const { name, headers, body = '', mayBeRead } = shape;
  const { answerTime, wire } = instance.parts;
  const line = await wire.open();
  const head = `POST /_fake/health HTTP/1.1\r\nHost: ${instance.host}\r\nX-Fake-Sandbox: ~\r\n${headers}\r\n`;
  line.write(`${head}${body}`);
  const [first] = await line.answered(1, answerTime);
  line.write(`GET /_fake/health HTTP/1.1\r\nHost: ${instance.host}\r\nConnection: close\r\n\r\n`);
  const answers = await line.answered(mayBeRead ? 2 : Number.POSITIVE_INFINITY, first === undefined ? 0 : answerTime);
  const { isClosed } = line;
  line.end();
  const sent = `${name}: ${instance.shown(`${headers}\r\n${body}`)}`;
  for (const answer of answers) instance.note(`${head}${body}`, sent, answer);
  if (first === undefined && !isClosed) return { sent, seen: SWALLOWED, outcome: 'no answer', isOpen: true };
  const statuses = answers.map(({ status }) => status).join(', ') || 'closed';
  const seen = answers.map(answer => instance.shownAnswer(answer)).join(' then ') || 'the connection was closed';
  return { sent, seen, outcome: statuses, isOpen: !isRefused(answers) && !(mayBeRead && isReadOnce(answers)) };
}

/** One refusal, or a closed connection, and nothing more. */
function isRefused(answers: readonly Answer[]): boolean {
  const [first] = answers;
  return first === undefined || (first.status === 400 && answers.length === 1);
}

/** Its answer, not that of the hidden request, and the answer to the next request. */
function isReadOnce(answers: readonly Answer[]): boolean {
  return answers.length === 2 && answers[1]?.status === 200;
}
