// One step out of the text of a scenario.

/** The list items below `steps:`, to be pasted below the `steps:` of another scenario. */
export function stepsOf(scenario: string): string {
  const [, after = ''] = scenario.split(/^steps:\n/m);
  return after.split(/^(?=[^\s#-])/m, 1)[0] ?? '';
}
