// What a user would take in place of cwx-fake, each made to answer the same POST as nearly as it can. Every log of requests is off that can be.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What they are to answer: POST with a JSON body, of which they look at the group, with 200 and an empty object. */
export interface Asked {
  readonly paths: readonly string[];
  readonly group: string;
  /** The OpenAPI document of the same. */
  readonly openapi: string;
  /** Where they find what they are told. */
  readonly folder: string;
}

export interface MockServer {
  readonly name: string;
  /** In `packages/package.json`. */
  readonly package: string;
  /** Another program that it needs. */
  readonly needs?: string;
  command(port: number, asked: Asked): readonly string[];
}

/** The folder of their packages, which `npm run bench:peers` installs. */
export const packages = join('bench', 'peers', 'packages');

const JAR = 'wiremock/build/wiremock-standalone-3.13.2.jar';
const host = '127.0.0.1';
const json = { 'Content-Type': 'application/json' };

const wireMock = (name: string, flags: readonly string[]): MockServer => ({
  name,
  package: 'wiremock',
  needs: 'java',
  command: (port, asked) => {
    for (const [i, path] of asked.paths.entries())
      write(asked, `wiremock/mappings/${i}.json`, wireMockStub(path, asked));
    const root = join(asked.folder, 'wiremock');
    const where = ['--bind-address', host, '--port', String(port), '--root-dir', root];
    return ['java', '-jar', installed(JAR), ...where, '--disable-banner', '--disable-request-logging', ...flags];
  },
});

export const mockServers: readonly MockServer[] = [
  wireMock('WireMock, with its journal,', []),
  wireMock('WireMock, `--no-request-journal`,', ['--no-request-journal']),
  {
    name: 'Prism',
    package: '@stoplight/prism-cli',
    command: (port, { openapi }) => [
      ...node('@stoplight/prism-cli/dist/index.js', 'mock', openapi),
      ...['--host', host, '--port', String(port), '--verboseLevel', 'silent'],
    ],
  },
];

/** Its version here, or why it cannot be measured. `has`: whether there is such a program on PATH. */
export function versionOf(
  { package: name, needs }: MockServer,
  has: (program: string) => boolean,
  folder = packages,
): { readonly version: string } | { readonly problem: string } {
  const manifest = join(folder, 'node_modules', name, 'package.json');
  if (!existsSync(manifest)) return { problem: `${name} is not installed: npm run bench:peers` };
  if (needs !== undefined && !has(needs)) return { problem: `there is no ${needs} on PATH` };
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }; // npm has installed none without
  return { version };
}

function wireMockStub(urlPath: string, { group }: Asked): object {
  const bodyPatterns = [{ matchesJsonPath: { expression: '$.group', equalTo: group } }];
  return { request: { method: 'POST', urlPath, bodyPatterns }, response: { status: 200, headers: json, body: '{}' } };
}

function node(script: string, ...args: readonly string[]): string[] {
  return [process.execPath, installed(script), ...args];
}

function installed(path: string): string {
  return join(packages, 'node_modules', path);
}

function write({ folder }: Asked, name: string, content: object): void {
  const file = join(folder, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, JSON.stringify(content));
}
