// Refusals by this server itself, rather than by an API: problems (RFC 9457). Middlewares throw them, and errors.ts sends them.

export const PROBLEM = 'application/problem+json';

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
}

/** A request that this server refuses before or instead of an API. */
export class RefusedRequest extends Error {
  constructor(readonly problem: ProblemDetails) {
    super(problem.detail);
  }
}

/** The body of a refusal. */
export function problemText({ status, title, detail, problems, more }: ProblemDetails): string {
  return JSON.stringify({ status, title, detail, ...(problems && { problems }), ...more });
}

export function badRequest(detail: string, headers: Readonly<Record<string, string>> = {}): RefusedRequest {
  return new RefusedRequest({ status: 400, title: 'Bad Request', detail, headers });
}
