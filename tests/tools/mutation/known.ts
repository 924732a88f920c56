// Which mutants get past the suite, and why that is as it should be. What gets past it and is not here is a hole, or is to be looked at.
// Written by hand, part by part; a run tells what of it no longer holds.
import type { Mutant } from './instrument.js';

export const reasons = {
  equivalent: 'changes nothing that anybody could see: a shortcut, a cache, a guard for what does not occur',
  explained:
    'changes only what is told of an answer: the rules and readings that are named, the order and the wording of messages',
  limit: 'is about how much work one request may make',
  outside: 'is about what no rule speaks of: requests that are none, Allow, sandboxes, scenario files',
  world: 'shows only in another world than the default one: several pages in a space, several admins, several groups',
  reading: 'shows only under a reading that is not the default one, or where two of them meet',
} as const;
export type Reason = keyof typeof reasons;

/** Reasons for which nothing that asks and looks could notice a mutant of behaviour. */
export const unnoticeable: readonly Reason[] = ['equivalent', 'explained', 'limit', 'outside'];

export interface Known {
  readonly file: string;
  /** The constant or function that it is in; '' for a class. */
  readonly within: string;
  /** What the original looks like; absent: anything in that part. */
  readonly original?: RegExp;
  readonly reason: Reason;
}

const inFile =
  (file: string) =>
  (within: string, reason: Reason, original?: RegExp): Known => ({
    file: `server/${file}.ts`,
    within,
    reason,
    ...(original !== undefined && { original }),
  });

const facts = inFile('domain/facts');
const pages = inFile('domain/pages');
const refusals = inFile('domain/refusals');
const world = inFile('domain/world');
const access = inFile('operations/access');
const address = inFile('operations/address');
const bindings = inFile('operations/bindings');
const cases = inFile('operations/case');
const catalog = inFile('operations/catalog');
const copy = inFile('operations/wiki/copy');
const expand = inFile('operations/expand');
const addressGaps = inFile('operations/gaps/gaps-address');
const ppfGaps = inFile('operations/gaps/gaps-ppf');
const wikiGaps = inFile('operations/gaps/gaps-wiki');
const gaps = inFile('operations/gaps/gaps');
const groups = inFile('operations/wiki/groups');
const lookups = inFile('operations/lookups');
const permissions = inFile('operations/wiki/permissions');
const pushPull = inFile('operations/push-pull/push-pull');
const inPage = inFile('operations/wiki/replace-in-page');
const replace = inFile('operations/wiki/replace');
const schema = inFile('operations/schema');
const spaces = inFile('operations/wiki/spaces');
const transfer = inFile('operations/push-pull/transfer');
const visible = inFile('operations/wiki/visible-text');

export const known: readonly Known[] = [
  facts('evolvers', 'world', /^i === at$|^\[\]$/), // several links of one label
  facts('evolvers', 'equivalent', /^before === undefined$/),
  facts('evolvers', 'outside', /applyPatch/),
  facts('evolveAll', 'equivalent'),
  facts('joiningFrom', 'equivalent'), // joining in one step is joining in several
  facts('withPermission', 'equivalent'),
  facts('withSidebar', 'equivalent'),
  facts('copySpace', 'equivalent', /^source === undefined$/),
  pages('removePage', 'world', /other/),
  pages('removePage', 'equivalent'), // a title with no page is as good as no title
  pages('addPages', 'world'),
  pages('pagesOf', 'world', /Number|position/),
  pages('pagesOf', 'equivalent', /\?\.|undefined/),
  pages('pageTitled', 'equivalent', /\?\./),
  pages('pageTitled', 'world', /standsBefore/),
  pages('standsBefore', 'world'),
  pages('indexed', 'world', /lastPosition/),
  refusals('refusals', 'outside', /does not decode|no such gap or reading|too large|encoding|too early|sandbox/),
  refusals('refusals', 'limit', /too much at once/),
  refusals('refusals', 'world', /no admin to pick/),
  refusals('refusals', 'reading', /no body/), // missing-field=400 with a rule of its own
  refusals('refusals', 'explained', /^\[?'[a-z]+\.[a-z0-9-]+'\]?$/),
  world('ANONYMOUS', 'explained'),
  world('noNames', 'outside'),
  world('emptyWorld', 'outside'),
  world('maySee', 'world', /some|groups\.get|^false$/),
  access('isAdmin', 'equivalent', /caller\.kind|\?\./),
  address('canonicalPrefix', 'explained'),
  address('locate', 'equivalent', /at === -1|^-1$/),
  address('locate', 'outside', /sandbox/),
  bindings('endpoints', 'equivalent'),
  bindings('bind', 'explained', /claims\.length|claimants/),
  bindings('allowed', 'outside'),
  cases('callerName', 'explained'),
  cases('', 'explained'),
  catalog('operationOf', 'outside'),
  copy('copyAdmin', 'explained', /caller\.name !== first/),
  copy('copyAdmin', 'world', /no-default-admin/),
  copy('copyPlan', 'explained', /^removeAdminPermissions$|^keepPagesMetadata$|sort/),
  copy('copyAuthor', 'explained'),
  copy('firstAdmin', 'world'),
  expand('expandRules', 'explained'),
  expand('parseExpand', 'explained'),
  addressGaps('addressGaps', 'outside', /a literal|\^\\\//),
  ppfGaps('ppfGaps', 'reading'),
  wikiGaps('wikiGaps', 'reading'),
  gaps('isReading', 'outside'),
  groups('addUsers', 'reading', /^users\.length > 0$|created\.length/),
  groups('addUsers', 'reading', /\?\./),
  groups('removeUsers', 'reading', /created\.length|users\.length|\?\./),
  groups('setUsers', 'explained', /members/),
  lookups('knownGroups', 'reading', /Set\(names\)/),
  permissions('params', 'outside'),
  permissions('viewRemove', 'explained', /view-post/),
  permissions('allRemove', 'explained', /groups-field/),
  permissions('change', 'reading', /created\.length|named\.users/),
  pushPull('adding', 'explained'),
  pushPull('takingAway', 'explained', /favourite/),
  inPage('replaceInPage', 'explained', /^'spaces\.replace-list'$/),
  inPage('replaceInPage', 'equivalent', /undefined|isRefused/),
  inPage('newText', 'explained', /^'spaces\.replace-list'$/),
  inPage('newText', 'limit', /texts === undefined|too-much/),
  inPage('newText', 'limit', /oldText === ''/), // looking for nothing everywhere is too much at once
  inPage('edit', 'explained', /body !== page\.body/),
  inPage('inTarget', 'equivalent', /outcomes\.has/),
  inPage('inTarget', 'explained'), // a reading is asked for only where it makes a difference
  inPage('replaced', 'explained'), // as above
  inPage('hasMarkup', 'explained'), // as above
  inPage('both', 'limit'),
  inPage('same', 'explained'), // as above
  replace('replaceSequentially', 'limit', /work|MOST|cost/),
  replace('replaceSimultaneously', 'limit', /work|MOST|PLACE_WORK|list\.length/),
  replace('replaceSimultaneously', 'equivalent', /^\{ oldText: ''|^''$/),
  replace('replaceSimultaneously', 'reading'),
  replace('advance', 'reading'),
  schema('object', 'equivalent'),
  schema('partialObject', 'equivalent'),
  schema('objectOf', 'equivalent'), // unknown fields are settled by a gap before the schema is asked
  spaces('addSidebarLink', 'explained', /^'spaces\.sidebar-link'$/),
  spaces('addSidebarLink', 'equivalent', /^'append'$/),
  spaces('isUnique', 'explained', /either === taken\.both/),
  visible('visibleText', 'limit', /meter/),
  visible('visibleText', 'world'), // pages with a < that begins no tag
  visible('sections', 'world'), // pages with comments and sections, which visible text cannot make
  visible('tagEnd', 'world'),
  visible('named', 'world'), // so of entities but those that a new text is encoded by
  visible('ENTITY', 'world'),
  visible('character', 'world'),
  visible('decoded', 'equivalent'),
  visible('plainText', 'equivalent'), // it is one text
  visible('withTexts', 'equivalent', /^''$|^i % 2/),
  visible('withTexts', 'world'),
  transfer('transfer', 'limit', /MAX_PAIRS|too-much/),
  transfer('transfer', 'explained', /messages\.length > 0/),
  transfer('kept', 'explained', /facts\.length === 0/),
  transfer('resolve', 'explained', /sort|with (name|id)/),
  transfer('resolve', 'explained', /users\.filter/), // whom nobody knows has no favourites to be seen
  transfer('resolve', 'world', /^\[\]$/), // whom an unknown group would reach
  transfer('apply', 'world', /^\[\]$/),
  transfer('apply', 'equivalent', /concerned\.length/),
  transfer('obstacle', 'explained', /filters|Filter|Dashboard/),
  transfer('obstacle', 'equivalent', /mustSee|item !== undefined/),
];

/** The part of a mutant that an entry speaks of. */
type Place = Pick<Mutant, 'file' | 'within' | 'original'>;

/** Why a mutant gets past the suite, as far as that is known: the first entry that speaks of it says it. */
export function reasonFor(mutant: Place, among: readonly Known[] = known): Reason | undefined {
  return among.find(entry => speaksOf(entry, mutant))?.reason;
}

/** The entries that speak of none of the mutants that got past the suite. */
export function staleAmong(survivors: readonly Place[], among: readonly Known[] = known): Known[] {
  return among.filter(entry => !survivors.some(mutant => speaksOf(entry, mutant)));
}

function speaksOf(entry: Known, { file, within, original }: Place): boolean {
  return entry.file === file && entry.within === within && (entry.original?.test(original) ?? true);
}
