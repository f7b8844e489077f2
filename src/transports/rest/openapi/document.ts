import { type ConfigKeys } from '../../../platform/json/config-key.js';
import { type Meanings } from '../../../platform/word-list.js';
import { type JsonSchema } from './json-schema.js';

/** An OpenAPI 3.1 document. */
export interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, JsonSchema>>;
  components: Record<string, Record<string, JsonSchema>>;
  [key: string]: unknown;
}

/** A kind of trigger or action. */
export interface Kind {
  /** Its word in REST. */
  word: string;
  description: string;
  keys: ConfigKeys;
}

/** What the schema of GraphQL does not know, since there it is free JSON, or no part of it. */
export interface Facts {
  triggers: readonly Kind[];
  actions: readonly Kind[];
  /** The events of webhooks, and when each is sent. */
  events: Meanings;
}
