import { type GraphQLSchema } from 'graphql';
import { restWords, toRestName } from '../names.js';

/** Rewrites a description of the schema with REST's names. */
export type Rephrase = (text: string | null | undefined) => string | undefined;

/** Text in backticks is a name: constants become REST's lower-case words, fields snake_case. */
export function rephraseFor(schema: GraphQLSchema): Rephrase {
  const words = restWords(schema);
  const rename = (name: string): string => (/^[a-z]+[A-Z]\w*$/.test(name) ? toRestName(name) : words(name));
  return (text) => text?.replace(/`([^`]+)`/g, (_, name: string) => `\`${rename(name)}\``);
}
