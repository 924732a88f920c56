// Ways in which a server can perform an operation wrongly, by the rule they break. Our own server, altered this way, shows what such a server answers.
// None of them knows a step.
import { rules } from '../../../../operations/catalog.js';
import { ofCopiedNames, writing } from './altered-pages.js';
import {
  type Alteration,
  inLists,
  inPlaceOf,
  misread,
  named,
  nobodyIsNamed,
  ofTexts,
  textsExchanged,
  withBody,
} from './altered-requests.js';
import {
  inAllGroups,
  lastNamesStay,
  leavingTheOther,
  ofAllPages,
  ofItems,
  ofNames,
  turned,
  usersAsGroups,
  whereInBoth,
  withCaller,
} from './altered-sets.js';
import {
  besideOldTitles,
  inBothPermissions,
  lastOneStays,
  leavingAllGroups,
  leavingOtherGroups,
  nobodyComes,
  nothing,
  nothingByMethod,
  ofPages,
  oneStays,
  whereAllIsNew,
  whereOnly,
  whereParameter,
  whereSeveral,
  whereSeveralOnly,
  without,
  withoutNewPages,
  withoutSources,
  withoutTheRest,
} from './altered-worlds.js';

/** The alterations of an operation that break a rule, the likeliest first. Empty: no effect shows the rule. */
export function alterationsOf(rule: string, operation: string): readonly Alteration[] {
  const own = ofRule[rule];
  if (own !== undefined) return own;
  if (rules[rule]?.effect !== true) return [];
  const [family = ''] = operation.split('.');
  return [nothing, ...(ofFamily[family] ?? []), ...inPlaceOf(operation)];
}

const ofFamily: Readonly<Record<string, readonly Alteration[]>> = {
  groups: [
    ...inLists(['users']),
    whereSeveral,
    whereAllIsNew,
    withoutTheRest,
    without,
    leavingOtherGroups(),
    leavingAllGroups,
    nobodyComes,
    lastOneStays,
    inAllGroups,
    turned,
    ...ofNames,
    ...withCaller,
  ],
  permissions: [
    ...inLists(['users', 'groups']),
    nobodyIsNamed,
    ...whereOnly(['users', 'groups']),
    whereSeveral,
    whereAllIsNew,
    withoutTheRest,
    without,
    inBothPermissions(),
    ofAllPages,
    leavingTheOther,
    usersAsGroups,
    lastNamesStay,
    ...ofNames,
    ...withCaller,
  ],
  ppf: [...inLists([...named]), whereSeveral, withoutTheRest, without, usersAsGroups, ...ofItems, ...withCaller],
};

const bodyStays = ofPages((after, before) => ({ ...after, body: (before ?? after).body }));
const anotherText = (text: string, before: string | undefined) => (text === before ? text : `${text} anew`);
const titleStays = ofPages((after, before) => ({ ...after, title: (before ?? after).title }));

const ofRule: Readonly<Record<string, readonly Alteration[]>> = {
  'address.json-bodies': misread,
  'groups.body': inLists(['users']),
  'permissions.body': [usersAsGroups, nobodyIsNamed, ...inLists(['users', 'groups'])],
  'permissions.heading-method': [nothing, ...nothingByMethod],
  'permissions.groups-field': [...inLists(['groups']), nothing],
  'permissions.all-remove': [
    nothing,
    ...inLists(['users']),
    whereSeveral,
    whereAllIsNew,
    without,
    whereInBoth,
    ...oneStays,
    ofAllPages,
    ...ofNames,
    ...inPlaceOf('permissions.all-remove'),
  ],
  'spaces.replace-list': [
    whereSeveral,
    textsExchanged,
    { name: 'only the first element', asked: withBody(body => (Array.isArray(body) ? body.slice(0, 1) : body)) },
    { name: 'only the last element', asked: withBody(body => (Array.isArray(body) ? body.slice(-1) : body)) },
  ],
  'spaces.replace-body': [
    nothing,
    ...ofTexts,
    { name: 'the body stays', world: bodyStays },
    {
      name: 'the body becomes another',
      world: ofPages((after, before) => ({ ...after, body: anotherText(after.body, before?.body) })),
    },
    { name: 'the body stays where several texts are replaced', world: whereSeveralOnly(bodyStays) },
    {
      name: 'the body stays where the title changes',
      world: ofPages((after, before) =>
        before === undefined || before.title === after.title ? after : { ...after, body: before.body },
      ),
    },
    ...writing('body'),
  ],
  'spaces.replace-title': [
    nothing,
    ...ofTexts,
    { name: 'the title stays', world: titleStays },
    {
      name: 'the title becomes another',
      world: ofPages((after, before) => ({ ...after, title: anotherText(after.title, before?.title) })),
    },
    { name: 'a page of the old title stays', world: besideOldTitles },
    { name: 'the title stays where several texts are replaced', world: whereSeveralOnly(titleStays) },
    {
      name: 'the title stays where the body changes',
      world: ofPages((after, before) =>
        before === undefined || before.body === after.body ? after : { ...after, title: before.title },
      ),
    },
    ...writing('title'),
  ],
  'spaces.copy': [
    nothing,
    { name: 'no pages', world: withoutNewPages },
    {
      name: 'the pages are moved',
      isLeft: true,
      world: (after, before) => (after.spaces.size > before.spaces.size ? withoutSources(after, before) : after),
    },
    ...ofCopiedNames,
    {
      name: 'pages are called Copy of …',
      world: ofPages((after, before) => (before === undefined ? { ...after, title: `Copy of ${after.title}` } : after)),
    },
    {
      name: 'pages without text',
      world: ofPages((after, before) => (before === undefined ? { ...after, body: '' } : after)),
    },
  ],
  // No documented operation shows what these parameters change in a copy, but some show that a value of them prevents the copy.
  'spaces.copy-default-admin': whereParameter('targetSpaceAdmin', ['']),
  'spaces.copy-remove-admin': whereParameter('removeAdminPermissions', ['true', 'false']),
  'spaces.copy-keep-metadata': whereParameter('keepPagesMetadata', ['true', 'false']),
};
