import { type App, type EventSource } from '../../integrations/apps/app.js';
import { type AppRegistry } from '../../integrations/apps/registry.js';
import { textAt } from '../../integrations/apps/text-at.js';

/** Where events come from, and what proves them: null while the provider's secret is not known. */
export interface ProvenSource {
  app: App;
  source: EventSource;
  secret: string | null;
}

/** Where a post to `/events/<type>` belongs. */
export interface SharedPlace {
  proven: ProvenSource;
  /** The ids of accounts at the provider. */
  accounts: readonly string[];
}

/** The source behind `/events/<type>`; undefined where a type has no such address, or no secret to prove its posts. */
export function sharedSourceOf(apps: AppRegistry, type: string): ProvenSource | undefined {
  const app = apps.get(type);
  if (app === undefined || !apps.hasSharedAddress(app)) return undefined;
  return { app, source: app.eventSource!, secret: apps.signatureSecretOf(app)! };
}

/** The accounts at the provider that a body names, each once. */
export function accountsOf({ accountPaths }: EventSource, body: unknown): string[] {
  const named = accountPaths.map((path) => textAt(body, path)).filter((id) => id !== undefined);
  return [...new Set(named)];
}

/** One name for all posts that concern the same accounts. */
export function laneOf({ proven: { app }, accounts }: SharedPlace): string {
  return [app.type, ...accounts].join(' ');
}
