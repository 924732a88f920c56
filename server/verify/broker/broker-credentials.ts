// Who we are to a broker. The secrets themselves never come into a message.

/** With both the token goes before the user. */
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
