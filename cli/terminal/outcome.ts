// The result of a step for people: what was checked, or the evidence of its failure.

import { counted } from '../../server/derive/text/counted.js';
import type { TextStyle } from '../../server/process/colors.js';
import { type Circumstances, evidenceOf } from '../../server/scenario/play/evidence.js';
import type { Played } from '../../server/scenario/play/player.js';
import { type Canvas, MARGIN, marked } from './draw.js';
import { wrapped } from './wrap.js';

/** The last lines of a step. Empty if the step only speaks. */
export function outcomeLines(played: Played, circumstances: Circumstances, canvas: Canvas): string[] {
  const { outcome, why = '', unchecked } = played;
  if (outcome === 'skipped') return marked('–', `skipped: ${why}`, 'yellow', canvas);
  const hidden = unchecked.length === 0 ? [] : marked('–', uncheckedText(unchecked), 'yellow', canvas);
  if (outcome === 'failed')
    return [
      ...marked('✘', 'not as expected', 'red', canvas),
      ...hidden,
      ...evidenceLines(played, circumstances, canvas),
    ];
  const parts = checkedParts(played);
  return [...(parts.length === 0 ? [] : marked('✔', `as expected: ${parts.join(', ')}`, 'green', canvas)), ...hidden];
}

/** What a target does not show. */
export function uncheckedText(unchecked: Played['unchecked']): string {
  const parts = unchecked.map(part => (part === 'then' ? 'its world' : 'its rules'));
  return `${unchecked.join(' and ')} not checked: this target does not show ${parts.join(' and ')}`;
}

function checkedParts({ step, unchecked }: Played): string[] {
  const { expect, then, proves = [], for: probes = {} } = step;
  const all = [{ expect, then }, ...Object.values(probes)];
  const isBroken = all.some(one => one.expect?.connection !== undefined);
  const isResponse = !isBroken && all.some(one => one.expect !== undefined);
  const isWorld = all.some(one => one.then !== undefined) && !unchecked.includes('then');
  const isProof = proves.length > 0 && !unchecked.includes('proves');
  return [
    ...(isBroken ? ['the broken connection'] : []),
    ...(isResponse ? ['the response'] : []),
    ...(isWorld ? ['the world'] : []),
    ...(isProof ? [counted(proves.length, 'rule')] : []),
  ];
}

/** The command to repeat the request is on a line of its own, unwrapped, so that it can be copied. */
function evidenceLines(played: Played, circumstances: Circumstances, { width, paint }: Canvas): string[] {
  return evidenceOf(played, circumstances).flatMap(({ about, lines }) => {
    const head = `${MARGIN}  ${about.padEnd(10)}`;
    if (about === 'reproduce') return [paint('dim', head.trimEnd()), ...lines.map(line => `${MARGIN}  ${line}`)];
    const colour: TextStyle = about === 'differs' ? 'red' : 'reset';
    return lines
      .flatMap(line => wrapped(line, width - head.length))
      .map((line, i) => `${i === 0 ? paint('dim', head) : ' '.repeat(head.length)}${paint(colour, line)}`);
  });
}
