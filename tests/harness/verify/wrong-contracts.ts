// Ten contracts, written by hand, each wrong in one way and right otherwise.
import type { Json } from '../../../harness/verify/contract/contract.js';
import { adds, asks, pactOf, ppf, pushes, replies, requestOf } from './running.js';

const below = '/rest/cwxapiextension/latest';
const member = { group: 'customers', users: ['alice'] };
const push = { users: ['alice'], filters: [10500] };
const done = { success: true, messages: [] };
const copying = {
  sourceSpaceKey: ['tmpl'],
  targetSpaceKey: ['apollo'],
  targetSpaceTitle: ['Apollo'],
  targetSpaceAdmin: ['alice'],
  removeAdminPermissions: ['false'],
  keepPagesMetadata: ['true'],
};

const wiki = (interaction: Json) => pactOf([interaction]);
const favourites = (interaction: Json) => pactOf([interaction], ppf);
const asked = (request: Json, response: Json = replies(200)) => ({
  ...asks('is wrong', '', undefined, response),
  request,
});

/** By the error. */
export const wrongContracts: Readonly<Record<string, Json>> = {
  'the method': wiki(asked(requestOf('PUT', `${below}/groups/add-users`, member))),
  'the case of the path': wiki(asks('is wrong', `${below}/groups/Add-Users`, member, replies(200))),
  'a missing field': wiki(adds('is wrong', { group: 'customers' }, replies(200))),
  'an extra field in the request': wiki(adds('is wrong', { ...member, notify: true }, replies(200))),
  'a wrong type': favourites(pushes('is wrong', { ...push, filters: ['10500'] }, replies(200, done))),
  'a wrong status': favourites(pushes('is wrong', push, replies(201, done))),
  'the name of a state': favourites(
    pushes('is wrong', push, replies(403), { providerStates: [{ name: 'unlicenced' }] }),
  ),
  'the name of the provider': pactOf([adds('is wrong', member, replies(200))], {
    provider: { name: 'wiki-extention' },
  }),
  'a body where the document has only a query': wiki(
    asked({ ...requestOf('POST', `${below}/spaces/copySpace`, { keepPagesMetadata: true }), query: copying }),
  ),
  'a body of the response that is not documented': wiki(adds('is wrong', member, replies(200, {}))),
};
