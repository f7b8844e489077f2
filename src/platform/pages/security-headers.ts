import { type Response } from 'express';

/** Changes of a page to the strict policy; `null` removes a directive. */
export type PolicyChanges = Readonly<Record<string, string | null>>;

const STRICT: PolicyChanges = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
};

/**
 * For a page whose form redirects to another origin: browsers check every redirect against `form-action`, so the
 * directive is removed.
 */
export const REDIRECTING_FORM: PolicyChanges = { 'form-action': null };

/**
 * A Content-Security-Policy value: only files of this origin, no inline script or style, no framing, except as
 * `changes` says.
 */
function contentSecurityPolicy(changes: PolicyChanges = {}): string {
  return Object.entries({ ...STRICT, ...changes })
    .filter(([, sources]) => sources !== null)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}

/**
 * Sets the security headers of a page. No Cross-Origin-Opener-Policy: a page in a pop-up must still reach its opener
 * after OAuth. The referrer policy `same-origin` keeps codes in URLs from other origins and, unlike `no-referrer`, lets
 * a browser send its true `Origin` with forms.
 */
export function setPageHeaders(response: Response, changes?: PolicyChanges): void {
  response.set({
    'Content-Security-Policy': contentSecurityPolicy(changes),
    'Cross-Origin-Opener-Policy': 'unsafe-none',
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  });
}
