// All resources of the hosts: routes, document and client derive from it.

import {
  wikiContentById,
  wikiContentRestriction,
  wikiContentRestrictions,
  wikiContents,
  wikiSearch,
} from '../confluence/wiki-content.js';
import {
  wikiCurrentUser,
  wikiGroupByName,
  wikiGroupMembers,
  wikiGroups,
  wikiUserByName,
  wikiUserGroups,
} from '../confluence/wiki-people.js';
import { wikiSiteSearch } from '../confluence/wiki-site-search.js';
import { wikiSpaceByKey, wikiSpaceContent, wikiSpacePages, wikiSpaces } from '../confluence/wiki-spaces.js';
import {
  trackerDashboardById,
  trackerDashboards,
  trackerFavouriteFilters,
  trackerFilterById,
} from '../jira/tracker-favourites.js';
import {
  trackerGroup,
  trackerGroupMembers,
  trackerGroupPicker,
  trackerMyself,
  trackerUserByName,
  trackerUserSearch,
} from '../jira/tracker-people.js';
import { trackerServerInfo, trackerSession, trackerSessionEnd, trackerSessionStart } from '../jira/tracker-server.js';

export const hostCatalog = [
  wikiGroups,
  wikiGroupByName,
  wikiGroupMembers,
  wikiUserByName,
  wikiCurrentUser,
  wikiUserGroups,
  wikiSpaces,
  wikiSpaceByKey,
  wikiSpaceContent,
  wikiSpacePages,
  wikiContents,
  wikiSearch,
  wikiSiteSearch,
  wikiContentById,
  wikiContentRestrictions,
  wikiContentRestriction,
  trackerGroup,
  trackerGroupMembers,
  trackerGroupPicker,
  trackerUserByName,
  trackerMyself,
  trackerUserSearch,
  trackerFilterById,
  trackerFavouriteFilters,
  trackerDashboards,
  trackerDashboardById,
  trackerServerInfo,
  trackerSessionStart,
  trackerSession,
  trackerSessionEnd,
] as const;
