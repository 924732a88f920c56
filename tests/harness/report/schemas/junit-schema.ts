// The parts of Jenkins' junit-10.xsd about the elements of a report, written by hand: a reader of XSD would be heavier
// than all it could find here. Elements that no report has are left out.
import type { XmlElement } from './xml.js';

interface Rule {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly children: readonly string[];
  /** Whether it may contain text. */
  readonly text?: true;
}

const time = /^\d*(\.\d{0,3})?$/;

const rules: Readonly<Record<string, Rule>> = {
  testsuites: { required: [], optional: ['name', 'time', 'tests', 'failures', 'errors'], children: ['testsuite'] },
  testsuite: {
    required: ['name', 'tests', 'failures', 'errors'],
    optional: ['group', 'time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file', 'log', 'url', 'version'],
    children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
  },
  properties: { required: [], optional: [], children: ['property'] },
  property: { required: ['name', 'value'], optional: [], children: [] },
  testcase: {
    required: ['name'],
    optional: ['time', 'classname', 'group'],
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  failure: { required: [], optional: ['type', 'message'], children: [], text: true },
  skipped: { required: [], optional: ['type', 'message'], children: [], text: true },
  'system-out': { required: [], optional: [], children: [], text: true },
};

/** Every violation of the schema in a document. */
export function schemaErrors(root: XmlElement): string[] {
  return [...(root.name === 'testsuites' ? [] : [`the root is ${root.name}`]), ...misfitsOf(root)];
}

function misfitsOf({ name, attributes, children, text }: XmlElement): string[] {
  const rule = rules[name];
  if (rule === undefined) return [`there is no element ${name}`];
  const given = Object.keys(attributes);
  const timed = name === 'testsuites' || name === 'testsuite';
  return [
    ...rule.required.filter(key => !given.includes(key)).map(key => `${name} lacks ${key}`),
    ...given
      .filter(key => ![...rule.required, ...rule.optional].includes(key))
      .map(key => `${name} has no attribute ${key}`),
    ...(timed && !time.test(attributes.time ?? '') ? [`the time of ${name} is ${attributes.time}`] : []),
    ...children.filter(child => !rule.children.includes(child.name)).map(child => `${child.name} in ${name}`),
    ...(rule.text === undefined && text.trim() !== '' ? [`text in ${name}`] : []),
    ...children.flatMap(misfitsOf),
  ];
}
