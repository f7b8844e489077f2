import { type FlowStartedFragment } from '../connect.generated.js';

/** Reasons of changes that do not end a flow; an integration may also break for other causes during a flow. */
const GOES_ON = new Set(['awaiting_authorization', 'token_expired', 'refresh_refused', 'key_refused']);

/** The state of an integration during a flow. */
export interface News {
  version: number;
  /** A reason of `src/features/integrations/changes/integration-status.ts`. */
  reason: string;
}

/** The reason for the end of a flow, from the state of its integration; undefined while it continues. */
export function endOf({ version }: Pick<FlowStartedFragment, 'version'>, news: News): string | undefined {
  return news.version <= version || GOES_ON.has(news.reason) ? undefined : news.reason;
}

/** Whether a flow succeeded. */
export function isConnected(reason: string): boolean {
  return reason === 'connected' || reason === 'reconnected';
}
