// Prints what Spectral's recommended rules find in OpenAPI documents, as JSON: findings by the file. Takes the paths of the files.
// @ts-nocheck -- some of what it imports has no types
import { readFileSync } from 'node:fs';
import core from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

const spectral = new core.Spectral();
spectral.setRuleset({ extends: [[rulesets.oas, 'recommended']] });
const found = {};
for (const file of process.argv.slice(2)) {
  const findings = await spectral.run(JSON.parse(readFileSync(file, 'utf8')));
  found[file] = findings.map(({ code, path, message }) => `${code} at ${path.join('/')}: ${message}`);
}
console.log(JSON.stringify(found));
