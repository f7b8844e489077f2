import { type GraphQLSchema, isEnumType } from 'graphql';
import { toRestName } from '../names.js';

/** Rewrites a description of the schema with REST's names. */
export type Rephrase = (text: string | null | undefined) => string | undefined;

/** Text in backticks is a name: constants become REST's lower-case words, fields snake_case. */
export function rephraseFor(schema: GraphQLSchema): Rephrase {
  const words = new Map<string, string>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (isEnumType(type) && !type.name.startsWith('__')) {
      for (const { name, value } of type.getValues()) words.set(name, value as string);
    }
  }
  const rename = (name: string): string => words.get(name) ?? (/^[a-z]+[A-Z]\w*$/.test(name) ? toRestName(name) : name);
  return (text) => text?.replace(/`([^`]+)`/g, (_, name: string) => `\`${rename(name)}\``);
}
