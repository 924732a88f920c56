// Credentials for a broker. Messages never contain the secrets.

/** The token wins over the user. */
export interface Credentials {
  readonly token?: string;
  readonly basic?: { readonly user: string; readonly password: string };
}

export function headerFor({ token, basic }: Credentials): { readonly authorization?: string } {
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  if (basic === undefined) return {};
  const { user, password } = basic;
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}
