import { type RequestFault } from '../graphql/request-fault.js';

/** The result of a call to `/auth`. */
export type AuthAnswer<T> = { ok: true; data: T } | { ok: false; fault: RequestFault };

/** The sign-in methods of the service, and whether it has a user yet. */
export interface AuthOptions {
  /** No user exists yet: the set-up link of the first start creates one. Undefined if the service did not respond. */
  set_up: boolean | undefined;
  oidc: readonly { id: string; name: string }[];
  /** Whether the service sends mails; otherwise they are in its log. */
  mail: boolean;
  /** Whether browsers create passkeys for the host of the service. */
  passkeys: boolean;
}

/** Active calls that may set another cookie. */
const changing = new Set<Promise<unknown>>();

/** One same-origin call below `/auth` with the session cookie; with a body it is a POST. */
export function callAuth<T>(path: string, body?: Record<string, unknown>): Promise<AuthAnswer<T>> {
  const answer = ask<T>(path, body);
  if (body !== undefined) {
    changing.add(answer);
    void answer.finally(() => changing.delete(answer));
  }
  return answer;
}

/** Resolves once no active call may set another session. */
export async function sessionSettled(): Promise<void> {
  await Promise.all(changing);
}

async function ask<T>(path: string, body?: Record<string, unknown>): Promise<AuthAnswer<T>> {
  let response: Response;
  try {
    response = await fetch(`/auth${path}`, {
      credentials: 'same-origin',
      headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
  } catch {
    return failed('NETWORK', 'The service could not be reached. Try again in a moment.');
  }
  const answer = (await response.json().catch(() => null)) as T | Refusal | null;
  if (response.ok) return { ok: true, data: answer as T };
  const { code, message, details } = (answer ?? {}) as Refusal;
  const requestId = response.status >= 500 ? (response.headers.get('x-request-id') ?? undefined) : undefined;
  const fields = Object.fromEntries((details ?? []).map((detail) => [detail.field, detail.message]));
  return failed(code ?? 'INTERNAL_ERROR', message ?? sentenceFor(response.status), fields, requestId);
}

/** Ends this browser's session. */
export function signOut(): Promise<AuthAnswer<unknown>> {
  return callAuth('/sign-out', {});
}

interface Refusal {
  code?: string;
  message?: string;
  details?: { field: string; message: string }[];
}

function failed(
  code: string,
  message: string,
  fields: RequestFault['fields'] = {},
  requestId?: string,
): { ok: false; fault: RequestFault } {
  return { ok: false, fault: { code: code.toUpperCase(), message, fields, requestId } };
}

function sentenceFor(status: number): string {
  return status === 429 ? 'Too many tries. Wait a minute, then try again.' : 'Something went wrong on our side.';
}
