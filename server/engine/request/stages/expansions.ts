// The stage `expand`: the `expand` parameter of any operation. No documented response has anything to expand, so a gap decides about each name. The
// rules about it are the wiki's.
import { parseExpand } from '../../../operations/expand.js';
import { quoted } from '../../../operations/lookups.js';
import { isResource } from '../../../operations/rest-api/resource.js';
import { everyOperation, type OperationProgress, stage } from '../stage.js';
import { expandResource } from './resource-stages.js';

export const expand = stage({
  name: 'expand',
  steps: [
    {
      name: 'expand',
      concerns: everyOperation,
      refusals: ['unknown-expand'],
      gaps: ['expand-unknown'],
    },
    { name: 'expand', concerns: ({ family }) => family === 'wiki', rules: ['expand.list', 'expand.nested'] },
  ],
  run(progress: OperationProgress, given) {
    const { operation } = progress;
    if (isResource(operation)) return expandResource(progress, operation, given);
    const { pairs } = progress.request.query;
    if (pairs.length === 0) return undefined;
    const values = pairs.filter(([name]) => name === 'expand').map(([, value]) => value);
    if (values.length === 0) return undefined;
    const asked = parseExpand(values);
    if (asked.length === 0) return undefined;
    if (operation.family === 'wiki') {
      given.applies('expand.list');
      if (asked.some(steps => steps.length > 1)) given.applies('expand.nested');
    }
    if (given.reading('expand-unknown') === '400') {
      const names = asked.map(steps =>
        steps.length > 1
          ? `${quoted(steps.slice(1).join('.'))} inside ${quoted(steps[0] ?? '')}`
          : quoted(steps[0] ?? ''),
      );
      return given.refuse(
        'unknown-expand',
        `expand asks for ${names.join(', ')}: this response has nothing to expand.`,
      );
    }
    progress.expand = asked.map(steps => steps.join('.'));
    return undefined;
  },
});
