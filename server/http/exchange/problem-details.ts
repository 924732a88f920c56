// Refusals by this server itself, rather than by an API: problems (RFC 9457).
import type { Response } from './response.js';

export const PROBLEM = 'application/problem+json';

/** A refusal. */
export interface ProblemDetails {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** Each error. */
  readonly problems?: readonly object[] | undefined;
  /** Further members. */
  readonly more?: Readonly<Record<string, unknown>> | undefined;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether to close the connection, because the next bytes cannot be interpreted. */
  readonly isLast?: true;
}

/** The body of a refusal. */
export function problemText({ status, title, detail, problems, more }: ProblemDetails): string {
  return JSON.stringify({ status, title, detail, ...(problems && { problems }), ...more });
}

export function problemResponse(problem: ProblemDetails): Response {
  const { status, retryAfter, headers } = problem;
  return {
    status,
    headers: {
      ...headers,
      'Content-Type': PROBLEM,
      ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    },
    body: problemText(problem),
  };
}

export function badRequest(detail: string): ProblemDetails {
  return { status: 400, title: 'Bad Request', detail };
}
