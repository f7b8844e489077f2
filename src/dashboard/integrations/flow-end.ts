import { type FlowStartedFragment } from './connect.generated.js';

/** Reasons of changes that don't end a flow; an integration may also break by itself while one is under way. */
const GOES_ON = new Set(['awaiting_authorization', 'token_expired', 'refresh_refused', 'key_refused']);

/** What is known of an integration while a flow is awaited. */
export interface News {
  version: number;
  /** A word of `src/features/integrations/changes/integration-status.ts`. */
  reason: string;
}

/** The reason why a flow is over, by what is heard of its integration; undefined while it goes on. */
export function endOf({ version }: Pick<FlowStartedFragment, 'version'>, news: News): string | undefined {
  return news.version <= version || GOES_ON.has(news.reason) ? undefined : news.reason;
}

/** Whether a flow's end is the wished one. */
export function isConnected(reason: string): boolean {
  return reason === 'connected' || reason === 'reconnected';
}
