// All resources of the hosts: the one list that their routes, their document and their client come from.
import {
  trackerDashboardById,
  trackerDashboards,
  trackerFavouriteFilters,
  trackerFilterById,
} from './tracker/tracker-favourites.js';
import {
  trackerGroup,
  trackerGroupMembers,
  trackerGroupPicker,
  trackerMyself,
  trackerUserByName,
  trackerUserSearch,
} from './tracker/tracker-people.js';
import { trackerServerInfo, trackerSession, trackerSessionEnd, trackerSessionStart } from './tracker/tracker-server.js';
import {
  wikiContentById,
  wikiContentRestriction,
  wikiContentRestrictions,
  wikiContents,
  wikiSearch,
} from './wiki/wiki-content.js';
import {
  wikiCurrentUser,
  wikiGroupByName,
  wikiGroupMembers,
  wikiGroups,
  wikiUserByName,
  wikiUserGroups,
} from './wiki/wiki-people.js';
import { wikiSpaceByKey, wikiSpaceContent, wikiSpacePages, wikiSpaces } from './wiki/wiki-spaces.js';

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
