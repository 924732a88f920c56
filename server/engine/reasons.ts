// The reason phrases of the statuses that a refusal can have (RFC 9110). Here, because the engine knows no HTTP library.
const phrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
};

export function reasonPhrase(status: number): string {
  return phrases[status] ?? 'Error';
}
