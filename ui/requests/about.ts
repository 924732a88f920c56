// What a request is about, in a sentence: "Add alice to customers".
import type { Entry, Json, JsonObject, OperationId } from '../client/wire.js';
import { isJsonObject } from '../parts/changes/change.js';
import { jsonIn } from '../parts/json/json-text.js';

/** By operation, with the names of fields and parameters. An operation without a sentence is shown by its id, as resources are. */
const sentences: { readonly [Id in OperationId]?: string } = {
  'groups.add-users': 'Add {users} to {group}',
  'groups.remove-users': 'Remove {users} from {group}',
  'groups.set-users': 'Make {users} the members of {group}',
  'permissions.edit-add': 'Let {users,groups} edit page {pageId}',
  'permissions.edit-remove': 'Stop {users,groups} from editing page {pageId}',
  'permissions.view-add': 'Let {users,groups} view page {pageId}',
  'permissions.view-remove': 'Stop {users,groups} from viewing page {pageId}',
  'permissions.all-remove': 'Remove {users,groups} from page {pageId}',
  'spaces.add-sidebar-link': 'Add the link {label} to {spaceKey}',
  'spaces.copy': 'Copy {sourceSpaceKey} to {targetSpaceKey}',
  'spaces.is-unique': 'Is {spaceKey} free?',
  'spaces.replace-in-page': 'Replace text in {pageTitle} of {spaceKey}',
  'ppf.push': 'Push {filters,dashboards} to {users,groups}',
  'ppf.pull': 'Pull {filters,dashboards} from {users,groups}',
};

const MAX_NAMES = 3;
const MAX_CHARS = 20_000;

/** The operation or the address where there is no sentence. */
export function aboutRequest({ operation, url, params = {}, request: { body = '' } }: Entry): string {
  const plain = operation ?? url;
  const sentence = sentences[plain as OperationId]; // undefined for any other text
  if (sentence === undefined || body.length > MAX_CHARS) return plain;
  const query = Object.fromEntries(new URLSearchParams(url.split('?', 2)[1]));
  const fields = jsonIn(body);
  const values: JsonObject = { ...params, ...query, ...(isJsonObject(fields) && fields) };
  let isWhole = true;
  const filled = sentence.replaceAll(/\{([\w,]+)\}/g, (_, names: string) => {
    const text = names.split(',').map(name => namesIn(values[name]));
    isWhole &&= text.some(Boolean);
    return text.filter(Boolean).join(', ');
  });
  return isWhole ? filled : plain;
}

function namesIn(value: Json | undefined): string {
  if (!Array.isArray(value)) return typeof value === 'object' ? '' : String(value ?? '');
  const more = value.length - MAX_NAMES;
  return [...value.slice(0, MAX_NAMES).map(String), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
