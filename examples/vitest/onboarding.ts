// The client under test: it takes a `fetch`.
export class Onboarding {
  readonly #fetch: typeof fetch;

  constructor(transport: typeof fetch) {
    this.#fetch = transport;
  }

  /** Whether the user is a member of the group now. */
  async join(group: string, user: string): Promise<boolean> {
    const response = await this.#fetch('/rest/cwxapiextension/latest/groups/add-users', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ group, users: [user] }),
    });
    return response.ok;
  }
}
