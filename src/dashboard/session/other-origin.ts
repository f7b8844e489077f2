const WENT_HOME = 'went-home';
/** A return within this many milliseconds counts as a redirect loop. */
const BACK_SOON_MS = 15_000;
const PROBE_MS = 5_000;

/** The service's own origin (BASE_URL) if this page is open under another one; sessions work only there. */
export function homeElsewhere(): string | undefined {
  const home = document.querySelector<HTMLMetaElement>('meta[name="service-origin"]')?.content ?? '';
  // Vite's server has none and leaves the placeholder.
  return URL.canParse(home) && home !== location.origin ? home : undefined;
}

/** The result of the redirect to the other origin: done, no response, or a loop back to this page. */
export type WayHome = 'gone' | 'unreachable' | 'leads back';

/** Goes to the same page at `home` if a server responds there. */
export async function goHome(home: string): Promise<WayHome> {
  if (!(await answers(home))) return 'unreachable';
  if (Date.now() - Number(sessionStorage.getItem(WENT_HOME)) < BACK_SOON_MS) return 'leads back';
  sessionStorage.setItem(WENT_HOME, String(Date.now()));
  location.replace(home + location.pathname + location.search + location.hash);
  return 'gone';
}

async function answers(home: string): Promise<boolean> {
  const signal = AbortSignal.timeout(PROBE_MS);
  try {
    await fetch(`${home}/livez`, { mode: 'no-cors', credentials: 'omit', cache: 'no-store', signal });
    return true;
  } catch {
    return false;
  }
}
