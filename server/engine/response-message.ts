// The message in the body of a response, in any format of the gaps wiki-error-body and ppf-error-body.

/** Several messages are one line each. */
export function messageIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { message, messages, errorMessages }: { message?: unknown; messages?: unknown; errorMessages?: unknown } = body;
  return [message, messages, errorMessages]
    .map((said: unknown) => (Array.isArray(said) ? said.join('\n') : said))
    .filter(said => typeof said === 'string')
    .find(said => said !== '');
}
