import { type Response } from 'express';

/** Directives that a page changes in the strict policy; `null` leaves one out. */
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
 * For a page whose form's answer redirects to another origin: browsers hold every hop of that way against `form-action`,
 * so it can't be listed there.
 */
export const REDIRECTING_FORM: PolicyChanges = { 'form-action': null };

/** A Content-Security-Policy value: our own files only, no inline script or style, no framing, except for what `changes` says. */
function contentSecurityPolicy(changes: PolicyChanges = {}): string {
  return Object.entries({ ...STRICT, ...changes })
    .filter(([, sources]) => sources !== null)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}

/**
 * Sets what every page of ours says to browsers. No Cross-Origin-Opener-Policy: a page that is opened in a pop-up must
 * still reach its opener after OAuth. `same-origin` referrers keep codes in addresses from leaving us, and, unlike
 * `no-referrer`, let a browser send its true `Origin` with our forms.
 */
export function setPageHeaders(res: Response, changes?: PolicyChanges): void {
  res.set({
    'Content-Security-Policy': contentSecurityPolicy(changes),
    'Cross-Origin-Opener-Policy': 'unsafe-none',
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  });
}
