// A small client that sets a team up in a wiki: its space, its members, who may see and edit what.
// Relies on nothing that the document leaves open: whether it is done is told by the class of the status, and no body is read.
import type { Client, ResponseTo } from '../../server/library/client/calls.js';
import type { OperationId } from '../../server/operations/catalog/catalog.js';

/** Users and groups, by name. */
export interface Who {
  readonly users: readonly string[];
  readonly groups: readonly string[];
}

export interface NewSpace {
  readonly key: string;
  readonly title: string;
  /** Left out: the wiki picks one. */
  readonly admin?: string;
  /** Whether the admin is to have no permissions in it. */
  readonly withoutAdmin?: boolean;
  /** Whether its pages keep the authors and dates of the template. */
  readonly keepHistory?: boolean;
}

/** The wiki did not do what it was asked. */
export class NotDone extends Error {
  override readonly name = 'NotDone';

  constructor(
    readonly operation: OperationId,
    readonly status: number,
    reason: string | undefined,
  ) {
    super(`${operation} returned ${status}${reason === undefined ? '' : `: ${reason}`}`);
  }
}

export class Onboarding {
  constructor(private readonly wiki: Client) {}

  async makeSpace(template: string, space: NewSpace): Promise<void> {
    const { key, title, admin = '', withoutAdmin = false, keepHistory = false } = space;
    const query = {
      sourceSpaceKey: template,
      targetSpaceKey: key,
      targetSpaceTitle: title,
      targetSpaceAdmin: admin,
      removeAdminPermissions: withoutAdmin,
      keepPagesMetadata: keepHistory,
    };
    done('spaces.copy', await this.wiki.spaces.copy({ query }));
  }

  /** Asks after a key and a name. How the response tells whether they are free the document does not say, so it is handed on unread. */
  async lookUp(key: string, name: string): Promise<unknown> {
    const response = await this.wiki.spaces.isUnique({ query: { spaceKey: key, spaceName: name } });
    return done('spaces.is-unique', response).body;
  }

  async link(space: string, label: string, url: string): Promise<void> {
    done('spaces.add-sidebar-link', await this.wiki.spaces.addSidebarLink({ body: { spaceKey: space, label, url } }));
  }

  /** Puts texts in the place of others, in the body and the title of a page. */
  async fillIn(space: string, title: string, texts: Readonly<Record<string, string>>): Promise<void> {
    const body = Object.entries(texts).map(([oldText, newText]) => ({ oldText, newText }));
    const response = await this.wiki.spaces.replaceInPage({ query: { spaceKey: space, pageTitle: title }, body });
    done('spaces.replace-in-page', response);
  }

  async join(group: string, users: readonly string[]): Promise<void> {
    done('groups.add-users', await this.wiki.groups.addUsers({ body: { group, users } }));
  }

  async leave(group: string, users: readonly string[]): Promise<void> {
    done('groups.remove-users', await this.wiki.groups.removeUsers({ body: { group, users } }));
  }

  /** Afterwards just these are the members. */
  async staff(group: string, users: readonly string[]): Promise<void> {
    done('groups.set-users', await this.wiki.groups.setUsers({ body: { group, users } }));
  }

  async letEdit(pageId: string, body: Who): Promise<void> {
    done('permissions.edit-add', await this.wiki.permissions.editAdd({ params: { pageId }, body }));
  }

  async letEditNoMore(pageId: string, body: Who): Promise<void> {
    done('permissions.edit-remove', await this.wiki.permissions.editRemove({ params: { pageId }, body }));
  }

  async letView(pageId: string, body: Who): Promise<void> {
    done('permissions.view-add', await this.wiki.permissions.viewAdd({ params: { pageId }, body }));
  }

  async letViewNoMore(pageId: string, body: Who): Promise<void> {
    done('permissions.view-remove', await this.wiki.permissions.viewRemove({ params: { pageId }, body }));
  }

  /** Takes them off both permissions. */
  async shutOut(pageId: string, body: Who): Promise<void> {
    done('permissions.all-remove', await this.wiki.permissions.allRemove({ params: { pageId }, body }));
  }
}

/** Not `ok` of the response: that asks for a body of one of the forms that the fake knows. */
function done<Id extends OperationId>(operation: Id, response: ResponseTo<Id>): ResponseTo<Id> {
  if (response.status >= 200 && response.status < 300) return response;
  throw new NotDone(operation, response.status, response.ok ? undefined : response.message);
}
