// The scenario that a body names, or whose text it has.
import { type Described, described, string } from '../../operations/schema.js';
import type { Loaded } from '../../scenario/load/load-scenario.js';
import { isProblems, type Problems, showProblem, type ValidationError } from '../../scenario/yaml/problem.js';
import { ActionProblem } from './action.js';
import type { ControlContext } from './control-context.js';

/** No file system takes longer names. */
const FILE_NAME = 255;

export const openedText = {
  text: string('The text of a scenario or a fixture, instead of its name.'),
  file: described<string>({
    type: 'string',
    minLength: 1,
    maxLength: FILE_NAME,
    description: 'File name to show in messages about the text. Default: opened.yaml.',
  }),
};

/** The name of a scenario, or the text of a file instead. */
export type ScenarioSource = {
  readonly scenario?: string;
} & { readonly [K in keyof typeof openedText]?: Described<(typeof openedText)[K]> };

/** `undefined`: the body has neither. */
export async function opened(
  { scenario, text, file = 'opened.yaml' }: ScenarioSource,
  { open, openText }: ControlContext,
): Promise<Loaded | Problems | undefined> {
  if (text !== undefined) return openText(file, text);
  return scenario === undefined ? undefined : open(scenario);
}

/** Whether a scenario has to be loaded, whose size is not known yet. */
export function isLoading({ text, scenario }: ScenarioSource, { isLoaded }: ControlContext): boolean {
  return text !== undefined || (typeof scenario === 'string' && !isLoaded(scenario));
}

export function sourceErrors({ scenario, text }: ScenarioSource): ValidationError[] {
  const isOne = scenario === undefined || text === undefined;
  return isOne ? [] : [{ message: 'The body has both scenario and text: send only one of them.' }];
}

/** The errors of a file that does not load, at the member of the body that names it. */
export function loadingErrors({ text }: ScenarioSource, loaded: object = {}): ValidationError[] {
  const pointer = text === undefined ? '/scenario' : '/text';
  return isProblems(loaded) ? loaded.problems.map(problem => ({ pointer, message: showProblem(problem) })) : [];
}

export function notLoaded({ problems }: Problems): ActionProblem {
  return new ActionProblem(400, 'The scenario cannot be loaded', problems.map(showProblem).join('\n'), problems);
}
