import { type DeriveUrls } from '../webhooks/event-urls.js';
import { wayOf, type WaitTokens } from './wait-tokens.js';
import { type Wait } from './wait.entity.js';

/** What the URLs of a wait follow from. */
type Placed = Pick<Wait, 'kind' | 'status' | 'runUuid' | 'stepIndex'>;

/** What an event stores in place of the URLs of its wait. */
export function placeText({ kind, status, runUuid, stepIndex }: Placed): string {
  return JSON.stringify({ kind, status, runUuid, stepIndex } satisfies Placed);
}

/** Derives the URLs of a wait from such a text: `connect_url` and `url`, as REST names them. */
export function urlsFrom(tokens: WaitTokens): DeriveUrls {
  return (text) => {
    const { url, connectUrl } = wayOf(tokens, JSON.parse(text) as Placed);
    return { connect_url: connectUrl, url };
  };
}
