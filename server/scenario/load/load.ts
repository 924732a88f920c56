// Loads scenarios and fixtures by name or path, lists them, and checks files. The entry point of this folder.
import { existsSync } from 'node:fs';
import { basename, resolve, sep } from 'node:path';
import { onOneLine } from '../../derive/text/visible.js';
import { isObject } from '../../domain/form/patch.js';
import { runToEnd } from '../../domain/iterables.js';
import { type Folders, findNamed, isCase, isName, isThere, liesIn, namesBeside } from '../files/folders.js';
import { textHash } from '../files/prevalidated.js';
import { isProblems, type Problem, type Problems, problemWith, seenPath, showProblem } from '../yaml/problem.js';
import { parseSource, readSource } from '../yaml/source.js';
import { readText } from '../yaml/text.js';
import { type BuiltFixture, buildingFixture, loadingFixture, noSuch } from './fixture.js';
import { type Loaded, loadingScenarioFile, scenarioFrom } from './load-scenario.js';

/** A scenario in the list; `problem`: why it would not load, if not even its title can be read. */
export interface Listed {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** A demo tells a story to an audience; a case, from the folder `cases`, shows one behaviour. */
  readonly kind: 'demo' | 'case';
  readonly problem?: string;
}

/** Loads a scenario, or a fixture as a scenario without steps, by name or by path. */
export function loadScenario(name: string, folders: Folders): Loaded | Problems {
  return runToEnd(loadingScenario(name, folders));
}

/** Interruptible, because a recipe can take seconds. */
export function* loadingScenario(name: string, folders: Folders): Generator<unknown, Loaded | Problems> {
  const isPath = /\.ya?ml$/.test(name) || ((name.includes('/') || name.includes(sep)) && isUnknown(name, folders));
  if (!isPath) return yield* loadingNamed(name, folders);
  const [file = name] = [name, `${name}.yaml`, `${name}.yml`].map(path => resolve(path)).filter(isThere);
  if (!isThere(file)) return { problems: [problemWith(name, 'No such file or folder.')] };
  return yield* loadingFile(file, basename(file).replace(/\.ya?ml$/, ''), folders);
}

/** By name only, so that input from outside cannot lead out of the folders. */
export function loadNamed(name: string, folders: Folders): Loaded | Problems {
  return runToEnd(loadingNamed(name, folders));
}

/** Interruptible, because a recipe can take seconds. */
export function* loadingNamed(name: string, folders: Folders): Generator<unknown, Loaded | Problems> {
  const scenario = findNamed(name, folders.scenarios);
  if ('file' in scenario) return yield* loadingScenarioFile(scenario.file, name, folders);
  const fixture = findNamed(name, folders.fixtures);
  if ('file' in fixture) return asScenario(yield* loadingFixture(fixture.file, folders), name);
  const message =
    'outside' in scenario || 'outside' in fixture
      ? `${JSON.stringify(name.slice(0, 200))} is not a valid scenario name: use only letters, digits, dots, underscores and hyphens, and stay within the folder.`
      : noSuch('scenario', name, [...folders.scenarios, ...folders.fixtures]);
  return { problems: [problemWith('', message)] };
}

interface KnownListed {
  /** Changes with every byte of the file. */
  readonly key: string;
  readonly listed: Listed;
}

/** Entries of the last list by file: unchanged files are not parsed again. */
let lastListed: ReadonlyMap<string, KnownListed> = new Map();

/** The scenarios of the folders by name, cases included; without other subfolders. */
export function listScenarios(folders: Folders): Listed[] {
  const all = new Map<string, KnownListed>();
  for (const name of namesBeside('', folders.scenarios)) {
    const found = findNamed(name, folders.scenarios);
    if ('file' in found) all.set(found.file, knownListed(name, found.file));
  }
  lastListed = all;
  return [...all.values()].map(({ listed }) => listed);
}

/** The fixtures of the folders whose name is no scenario; their title is their name. */
export function listFixtures({ scenarios, fixtures }: Folders): Array<Pick<Listed, 'name' | 'title'>> {
  const known = namesBeside('', scenarios);
  return namesBeside('', fixtures).flatMap(name => (known.includes(name) ? [] : [{ name, title: name }]));
}

/** All errors of one file, scenario or fixture, and of the fixtures it extends. */
export function checkFile(path: string, folders: Folders): readonly Problem[] {
  const file = resolve(path);
  const meant = isThere(file) ? undefined : [`${path}.yaml`, `${path}.yml`].find(other => existsSync(other));
  if (meant !== undefined)
    return [problemWith(path, `No such file or folder. Did you mean ${seenPath(resolve(meant))}?`)];
  const loaded = runToEnd(loadingFile(file, basename(file), folders));
  return isProblems(loaded) ? loaded.problems : [];
}

/** Loads the text of a file from elsewhere, such as one dropped on the dashboard. Errors name the given file and the place in it. Interruptible. */
export function* loadingText(file: string, text: string, folders: Folders): Generator<unknown, Loaded | Problems> {
  const source = parseSource(file, text, folders.largest);
  if (isProblems(source)) return source;
  const name = basename(file).replace(/\.(ya?ml|json)$/, '') || 'opened'; // of its sandboxes
  return isStory(source.value)
    ? yield* scenarioFrom(source, name, folders)
    : asScenario(yield* buildingFixture(source, folders), name);
}

function isUnknown(name: string, folders: Folders): boolean {
  return !isName(name) || [folders.scenarios, folders.fixtures].every(among => !('file' in findNamed(name, among)));
}

/** The folder decides what a file is; elsewhere, its content. */
function* loadingFile(file: string, name: string, folders: Folders): Generator<unknown, Loaded | Problems> {
  const isFixture = liesIn(file, folders.fixtures) || (!liesIn(file, folders.scenarios) && !looksLikeStory(file));
  return isFixture
    ? asScenario(yield* loadingFixture(file, folders), name)
    : yield* loadingScenarioFile(file, name, folders);
}

function looksLikeStory(file: string): boolean {
  const source = readSource(file);
  return !isProblems(source) && isStory(source.value);
}

/** Whether a value is meant as a scenario or as a fixture. */
function isStory(value: unknown): boolean {
  return isObject(value) && ['title', 'about', 'steps', 'fixture', 'world'].some(key => Object.hasOwn(value, key));
}

/** A fixture as a scenario without steps. */
function asScenario(fixture: BuiltFixture | Problems, name: string): Loaded | Problems {
  if (isProblems(fixture)) return fixture;
  const { world, files } = fixture;
  const origin = { scenario: name, world, readings: {} };
  return { origin, title: name, about: `The world of the fixture ${name}.`, files, steps: [], lineOf: () => 0 };
}

function knownListed(name: string, file: string): KnownListed {
  const read = readText(file);
  const key = 'text' in read ? textHash(read.text) : read.problem;
  const known = lastListed.get(file);
  return known?.key === key ? known : { key, listed: listed(name, file) };
}

function listed(name: string, file: string): Listed {
  const kind = isCase(file) ? 'case' : 'demo';
  const source = readSource(file);
  if (isProblems(source)) return { name, title: name, about: '', kind, ...firstOf(source) };
  const { title, about, steps } = isObject(source.value) ? source.value : {};
  if (typeof title !== 'string') return { name, title: name, about: '', kind, problem: `${name} has no title.` };
  const hasSteps = Array.isArray(steps) && steps.length > 0; // without any, it is no demo
  const texts = { title: onOneLine(title), about: typeof about === 'string' ? onOneLine(about) : '' };
  return { name, ...texts, kind: hasSteps ? kind : 'case' };
}

function firstOf({ problems: [first] }: Problems): { problem?: string } {
  return first === undefined ? {} : { problem: showProblem(first) };
}
