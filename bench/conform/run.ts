// What conform says of servers that are correct but for one behaviour: how often it names the right rule, only that one, or nothing; from answers
// alone, and with what it reads back through the hosts' resources.

import { parseArgs } from 'node:util';
import type { SomeReadings } from '../../server/operations/gaps/gaps.js';
import { telling } from '../../tests/support/other-servers/bitten.js';
import { type Conformed, conformed, prepared, rulesThat } from '../../tests/support/other-servers/conforming.js';
import { lists } from './all-lists.js';
import type { OneFault } from './faults.js';
import { proxied } from './proxied-server.js';

const worlds: ReadonlyArray<readonly [name: string, readings: SomeReadings]> = [
  ['default readings', {}],
  ['effects visible', telling],
];

const { values, positionals: parts } = parseArgs({
  options: { list: { type: 'string', multiple: true }, world: { type: 'string', multiple: true } },
  allowPositionals: true,
});
/** Whether something is asked for by a flag; without the flag everything is. */
const isWanted = (name: string, wanted: readonly string[] | undefined) =>
  wanted === undefined || wanted.some(part => name.startsWith(part));
const only = parts.length > 0 ? { fits: (text: string) => parts.some(part => text.includes(part)) } : undefined;
const plan = await prepared();
for (const [world, readings] of worlds)
  for (const isReadingBack of [false, true])
    for (const { name: kind, faulty, blameless } of lists) {
      const name = `${world}, ${isReadingBack ? 'read back' : 'answers alone'}`;
      if (!isWanted(kind, values.list) || !isWanted(name, values.world)) continue;
      const found = { due: 0, right: 0, only: 0, silent: 0, blamed: 0 };
      const started = performance.now();
      for (const one of faulty) {
        if (only !== undefined && !only.fits(one.description)) continue;
        const result = await conformedBehind(one.change, readings, isReadingBack);
        const named = rulesThat('contradicts', result);
        const right = [one.rule].flat();
        const isDue =
          one.seen === 'always' ||
          (one.seen === 'read back' && isReadingBack) ||
          (one.seen === 'with effects' && (world === 'effects visible' || isReadingBack));
        const isRight = named.some(rule => right.includes(rule));
        const isOnly = isRight && named.every(rule => right.includes(rule));
        if (isDue) {
          found.due += 1;
          found.right += Number(isRight);
          found.only += Number(isOnly);
          found.silent += Number(named.length === 0);
        }
        const mark = isOnly ? ' ' : isRight ? '+' : named.length > 0 ? 'X' : isDue ? '0' : ' ';
        if (mark !== ' ' || only !== undefined)
          console.log(`${mark} ${right[0]}: ${one.description} → ${named.join(', ') || 'nothing'}`);
        if (only !== undefined) tell(result, right);
      }
      for (const one of blameless) {
        if (only !== undefined && !only.fits(one.description)) continue;
        const result = await conformedBehind(one.change, readings, isReadingBack);
        const named = rulesThat('contradicts', result);
        found.blamed += Number(named.length > 0);
        console.log(`  breaks no rule: ${one.description} → ${named.join(', ') || 'nothing'}`);
        if (only !== undefined) tell(result, []);
      }
      console.log(`${name}, ${kind}`, found, `${Math.round(performance.now() - started)} ms`);
    }

async function conformedBehind(
  change: OneFault['change'],
  readings: SomeReadings,
  isReadingBack: boolean,
): Promise<Conformed> {
  const { target, end } = await proxied(typeof change === 'function' ? change() : change, readings);
  try {
    return await conformed(target, plan, undefined, isReadingBack);
  } finally {
    end();
  }
}

/** The first steps that speak against each rule, and why nothing is said of those that are broken. */
function tell({ verdicts, known }: Conformed, due: readonly string[]): void {
  console.log(
    `    ${Object.entries(known)
      .map(pair => pair.join('='))
      .join(' ')}`,
  );
  for (const { rule, judgement, evidence, reasons } of verdicts) {
    if (due.includes(rule) && judgement !== 'contradicts')
      console.log(`    ${rule} ${judgement}: ${reasons.join(' / ').slice(0, 600)}`);
    if (judgement !== 'contradicts') continue;
    console.log(`    ${rule}: ${evidence.length} steps`);
    for (const { file, played } of evidence.slice(0, 6))
      console.log(
        `      ${file.split('/').at(-1)}:${played.line} ${played.step.say}: ${played.differences[0]?.pointer} ${played.differences[0]?.says}`.slice(
          0,
          220,
        ),
      );
  }
}
