import { type Grant } from './oauth-client.js';

const DAY_MS = 86_400_000;
/** A token that lives longer than this is renewed at the latest `LEAD_MS` before its end, so that no notice is due. */
const LONG_MS = 16 * DAY_MS;
const LEAD_MS = 8 * DAY_MS;
/** How long before its end a connection is told to end. */
export const NOTICE_MS = 7 * DAY_MS;
/** The shortest life of which that is told at all. */
export const MIN_NOTICED_LIFE_MS = DAY_MS;

/** When things end and when to act, of one grant; null where nothing is stated or nothing can be renewed. */
export interface TokenLife {
  accessExpiresAt: Date | null;
  refreshExpiresAt: Date | null;
  /** When the connection ends if nothing renews it: the refresh token's stated end, else the access token's. */
  expiresAt: Date | null;
  renewAt: Date | null;
  /** When to tell that it ends: 7 days before, at once where less is left; null for what lives less than a day. */
  noticeAt: Date | null;
}

/**
 * The life of a grant that was received at `now`. A renewal that brings no new refresh token keeps the old one's end.
 * `jitter` (0 to 1) spreads renewals of connections that were made together.
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
  // A renewal left that end where it was, so another one would gain nothing.
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
  return new Date(now.getTime() + latest * (0.9 + 0.1 * jitter));
}
