import { type LoadedConfig } from '../../platform/config/config.js';
import { type DatabaseLocation } from '../database-location.js';

/** The topics between the primary process and the others, besides those of limits and metrics. */
export const TOPICS = { begin: 'begin', ready: 'ready', welcome: 'welcome', stop: 'stop', ping: 'ping' } as const;

/** What a process needs to serve. The primary has read it once, so that all processes have the same, also after a restart. */
export interface Begin {
  loaded: LoadedConfig;
  database: Omit<DatabaseLocation, 'stop'>;
  /** No other process serves yet. */
  isFirst: boolean;
}
