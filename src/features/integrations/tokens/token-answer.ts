const ERROR_STATUS = 400;
/** A hundred years in seconds. Much longer lifetimes can't be stored as a date. */
const MAX_LIFE_SECONDS = 3_155_760_000;

/**
 * Normalises a token endpoint's response to RFC 6749, 5.1 and 5.2. Errors with status 200 (GitHub; Slack with `ok:
 * false`) get status 400, form bodies become JSON, quoted numbers become numbers, and a missing token_type becomes
 * `bearer`. An id_token is dropped, because the service does not use it.
 */
export async function normaliseTokenAnswer(response: Response): Promise<Response> {
  const text = await response.text();
  const body = parse(text, response.headers.get('content-type') ?? '');
  if (body === undefined) return new Response(text, { status: response.status === 200 ? 502 : response.status });
  delete body.id_token;
  const refused = typeof body.error === 'string';
  if (!refused && typeof body.access_token === 'string') body.token_type ??= 'bearer';
  for (const key of ['expires_in', 'refresh_token_expires_in', 'refresh_expires_in']) {
    const value = body[key];
    if (typeof value === 'string' && /^\d+$/.test(value)) body[key] = Number(value);
    const seconds = body[key];
    if (typeof seconds !== 'number' || !(seconds > 0)) delete body[key];
    else body[key] = Math.min(seconds, MAX_LIFE_SECONDS);
  }
  if (body.refresh_token === null || body.refresh_token === '') delete body.refresh_token;
  if (typeof body.scope !== 'string') delete body.scope;
  const status = refused && response.status < 400 ? ERROR_STATUS : response.status === 201 ? 200 : response.status;
  return Response.json(body, { status });
}

function parse(text: string, contentType: string): Record<string, unknown> | undefined {
  if (/x-www-form-urlencoded|text\/plain/.test(contentType) && /^[\w.]+=/.test(text)) {
    return Object.fromEntries(new URLSearchParams(text));
  }
  try {
    const body = JSON.parse(text) as unknown;
    return typeof body === 'object' && body !== null && !Array.isArray(body)
      ? (body as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
