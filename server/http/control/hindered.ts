// How a hindrance is told over HTTP.
import type { Hindrance } from '../../engine/sandbox/history-error.js';
import { type ControlAnswer, problem } from './endpoint.js';

const told: Readonly<Record<Hindrance['hindered'], readonly [status: number, title: string]>> = {
  taken: [409, 'The name is taken'],
  full: [409, 'There are too many'],
  unknown: [404, 'There is no such point'],
  'let-go': [410, 'It is kept no longer'],
};

export function hinderedBy({ hindered, message }: Hindrance): ControlAnswer {
  return problem(...told[hindered], message);
}
