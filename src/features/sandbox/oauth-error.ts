import { type ErrorRequestHandler } from 'express';

/** An error response with the codes of RFC 6749, 5.2 and RFC 6750, 3.1. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';

  constructor(
    readonly status: 400 | 401 | 403 | 404 | 429,
    readonly error: string,
    description: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(description);
  }
}

/** Sends OAuthErrors and body parsing errors as `{ error, error_description }`; passes on all others. */
export const answerOAuthErrors: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const refusal = error instanceof OAuthError ? error : unreadableBody(error);
  if (refusal === undefined || response.headersSent) return next(error);
  response
    .status(refusal.status)
    .set({ 'Cache-Control': 'no-store', ...refusal.headers })
    .json({ error: refusal.error, error_description: refusal.message });
};

function unreadableBody(error: unknown): OAuthError | undefined {
  const { type, status } = (error ?? {}) as { type?: unknown; status?: unknown };
  // Express's body parsers mark client errors with a type and a status below 500.
  if (typeof type !== 'string' || typeof status !== 'number' || status >= 500) return undefined;
  return new OAuthError(400, 'invalid_request', 'The body could not be read.');
}
