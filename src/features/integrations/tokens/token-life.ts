import { type Grant } from './oauth-client.js';

const DAY_MS = 86_400_000;
/** A longer-lived token is renewed at the latest `LEAD_MS` before its end, so that no notice becomes due. */
const LONG_MS = 16 * DAY_MS;
const LEAD_MS = 8 * DAY_MS;
/** A renewal ahead of time follows the last one after so many milliseconds at the earliest, less the jitter. */
export const MIN_PAUSE_MS = 60_000;
/** How long before its expiry people are notified of it, in milliseconds. */
export const NOTICE_MS = 7 * DAY_MS;
/** The expiry of a connection with a shorter life is not notified, in milliseconds. */
export const MIN_NOTICED_LIFE_MS = DAY_MS;

/** The times derived from a grant. Null: no expiry is stated, or no renewal is possible. */
export interface TokenLife {
  accessExpiresAt: Date | null;
  refreshExpiresAt: Date | null;
  /** When the connection expires unless renewed: the refresh token's stated end, else the access token's. */
  expiresAt: Date | null;
  renewAt: Date | null;
  /** When to notify of the expiry: 7 days before it, or now if less is left; null for a life of less than a day. */
  noticeAt: Date | null;
}

/**
 * The life of a grant received at `now`. A token that lives less than a minute is renewed before use. A renewal without a new refresh token keeps the old one's end. `jitter` (0 to
 * 1) spreads the renewals of connections that were created together.
 */
export function tokenLife(
  grant: Grant,
  hasRefreshToken: boolean,
  keptRefreshEnd: Date | null,
  now: Date,
  jitter: number,
): TokenLife {
  const after = (seconds: number | undefined) =>
    seconds === undefined ? null : new Date(now.getTime() + seconds * 1_000);
  const accessExpiresAt = after(grant.expiresIn);
  const refreshExpiresAt = hasRefreshToken ? (after(grant.refreshExpiresIn) ?? keptRefreshEnd) : null;
  const end = refreshExpiresAt ?? accessExpiresAt;
  const [firstEnd] = [accessExpiresAt, refreshExpiresAt].filter((date) => date !== null).sort((a, b) => +a - +b);
  // The last renewal did not move this end, so another one would gain nothing.
  const isFinal = firstEnd !== undefined && grant.refreshExpiresIn === undefined && firstEnd === keptRefreshEnd;
  return {
    accessExpiresAt,
    refreshExpiresAt,
    expiresAt: end,
    renewAt: hasRefreshToken && firstEnd && !isFinal ? renewalTime(now, firstEnd, jitter) : null,
    noticeAt: end && noticeTime(now, end),
  };
}

function noticeTime(now: Date, end: Date): Date | null {
  if (end.getTime() - now.getTime() < MIN_NOTICED_LIFE_MS) return null;
  return new Date(Math.max(end.getTime() - NOTICE_MS, now.getTime()));
}

function renewalTime(now: Date, end: Date, jitter: number): Date {
  const life = end.getTime() - now.getTime();
  const latest = life > LONG_MS ? life - LEAD_MS : life * 0.8;
  return new Date(now.getTime() + Math.max(latest, MIN_PAUSE_MS) * (0.9 + 0.1 * jitter));
}
