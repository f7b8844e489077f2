import { type GraphQLSchema, isEnumType } from 'graphql';

/** `webhookUrl` in REST's spelling: `webhook_url`. */
export function toRestName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * A dotted path of GraphQL names in REST's spelling. Below `config` and other free objects the names are the client's.
 */
export function toRestPath(path: string): string {
  const parts = path.split('.');
  const free = parts.findIndex((part) => FREE.has(part));
  return parts.map((part, index) => (free >= 0 && index > free ? part : toRestName(part))).join('.');
}

/** Rewrites the constants of a schema in a text. */
export type RestWords = (text: string) => string;

/** `must be ACTIVE or DRAFT` in REST's spelling: `must be active or draft`. */
export function restWords(schema: GraphQLSchema): RestWords {
  const words = new Map<string, string>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isEnumType(type) || type.name.startsWith('__')) continue;
    for (const { name, value } of type.getValues()) words.set(name, value as string);
  }
  return (text) => text.replace(/\b[A-Z][A-Z\d_]+\b/g, (word) => words.get(word) ?? word);
}

/** Fields that hold the client's own JSON. */
const FREE = new Set(['config', 'credentials', 'parameters', 'input', 'query', 'headers', 'body']);
