/**
 * The URLs of waits are secrets: everybody who has one can answer. So an event about a wait is stored without them, and they are
 * derived again where it is sent or read.
 */

/** The members with URLs that follow from what the event stores of them. */
export type UrlMembers = Readonly<Record<string, string | null>>;

/** Derives the URLs of an event from the text that it stores (`DataAround.urlsOf`). */
export type DeriveUrls = (urlsOf: string) => UrlMembers;

/** The text of an event as a statement reads it. */
export interface EventText {
  /** The whole body; without URLs, if it has any, and without what follows them. Null if the event was deleted. */
  body: string | null;
  /** What the URLs are derived from; null for a body without any. */
  urlsOf: string | null;
  /** What follows the URLs. */
  tail: string | null;
}

/** SQL for the columns of an `EventText` of the row `e`. `payload` is SQL for the text of its payload, `when` for a condition. */
export function eventText(e: string, payload: string, when = 'true'): string {
  return `CASE WHEN ${when} THEN CASE WHEN ${e}.payload_id IS NULL THEN ${e}.body ELSE ${e}.body || ${payload} || ${e}.tail END END AS body,
    ${e}.urls_of AS "urlsOf", CASE WHEN ${e}.urls_of IS NOT NULL THEN ${e}.tail END AS tail`;
}

/** The whole body. For a reader who must not answer waits its URLs are null. */
export function wholeBody({ body, urlsOf, tail }: EventText, derive: DeriveUrls, withUrls: boolean): string | null {
  if (body === null || urlsOf === null) return body;
  const urls = derive(urlsOf);
  const shown = withUrls ? urls : Object.fromEntries(Object.keys(urls).map((name) => [name, null]));
  return body + JSON.stringify(shown).slice(1, -1) + tail!;
}
