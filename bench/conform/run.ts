// What conform says of servers that are correct but for one behaviour: how often it names the right rule, only that one, or nothing.
import type { SomeReadings } from '../../server/operations/gaps.js';
import { telling } from '../../tests/support/bitten.js';
import { conformed, prepared, rulesThat } from '../../tests/support/conforming.js';
import { proxied } from './proxied-server.js';
import { proxies, unstable } from './proxies.js';

const worlds: ReadonlyArray<readonly [name: string, readings: SomeReadings]> = [
  ['default readings', {}],
  ['effects visible', telling],
];

const [, , ...parts] = process.argv;
const only = parts.length > 0 ? { fits: (text: string) => parts.some(part => text.includes(part)) } : undefined;
const plan = await prepared();
for (const [name, readings] of worlds) {
  const found = { due: 0, right: 0, only: 0, silent: 0 };
  const started = performance.now();
  for (const one of proxies) {
    if (only !== undefined && !only.fits(one.description)) continue;
    const { target, end } = await proxied(one.change, readings);
    const result = await conformed(target, plan);
    end();
    const named = rulesThat('contradicts', result);
    const right = [one.rule].flat();
    const isDue = one.seen === 'always' || (one.seen === 'with effects' && name === 'effects visible');
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
    if (only !== undefined) tell(result);
  }
  for (const one of unstable) {
    if (only !== undefined && !only.fits(one.description)) continue;
    const { target, end } = await proxied(one.change, readings);
    const result = await conformed(target, plan);
    end();
    console.log(`  unstable: ${one.description} → ${rulesThat('contradicts', result).join(', ') || 'nothing'}`);
  }
  console.log(name, found, `${Math.round(performance.now() - started)} ms`);
}

/** The first steps that speak against each rule. */
function tell({ verdicts, known }: Awaited<ReturnType<typeof conformed>>): void {
  console.log(
    `    ${Object.entries(known)
      .map(pair => pair.join('='))
      .join(' ')}`,
  );
  for (const { rule, judgement, evidence } of verdicts) {
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
