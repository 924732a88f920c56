// Whether a content type means JSON in UTF-8: application/json, or any type ending in +json, with no other charset.
export function isJsonType(contentType: string): boolean {
  if (contentType === 'application/json') return true;
  const [type = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map(part => part.trim());
  const charset = parameters
    .find(parameter => parameter.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  return (
    (type === 'application/json' || /^application\/[a-z0-9.-]+\+json$/.test(type)) &&
    (charset === undefined || charset === 'utf-8' || charset === 'utf8')
  );
}
