// The bill of materials of the package (CycloneDX, as npm makes it), with the packages that are in the bundle and no others.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
const licences = readFileSync(join(root, 'dist/server/LICENSES.txt'), 'utf8');
const bundled = new Set(
  [...licences.matchAll(/^(\S+) (\d\S*) \(.+\)$/gm)].map(([, name, version]) => `${name}@${version}`),
);

const all = JSON.parse(
  execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  }),
);
const isBundled = (/** @type {string} */ ref) => bundled.has(ref.replace(/\|.*/, ''));
const own = all.metadata.component['bom-ref'];
/** @type {Map<string, object>} */
const components = new Map();
for (const component of all.components)
  if (isBundled(component['bom-ref']))
    components.set(component['bom-ref'], { ...component, scope: 'required', properties: [] }); // npm calls them development
const missing = [...bundled].filter(ref => ![...components.keys()].some(known => known.replace(/\|.*/, '') === ref));
if (missing.length > 0) throw new Error(`npm does not know ${missing.join(', ')}`);

const dependencies = all.dependencies
  .filter((/** @type {{ ref: string }} */ { ref }) => ref === own || components.has(ref))
  .map((/** @type {{ ref: string, dependsOn: string[] }} */ { ref, dependsOn }) => ({
    ref,
    dependsOn: dependsOn.filter(other => components.has(other)),
  }));
console.log(JSON.stringify({ ...all, components: [...components.values()], dependencies }, null, 2));
