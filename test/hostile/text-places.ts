import { getNamedType, type GraphQLInputType, isInputObjectType, isListType, isNonNullType } from 'graphql';

/** A place of text in an input: its path, and whether any JSON may stand there. */
export interface TextPlace {
  path: string[];
  isJson: boolean;
}

/** Every place of text in a value of a type, in its lists and inputs too; `nameOf` converts names for the transport. */
export function textPlaces(type: GraphQLInputType, path: string[], nameOf: (name: string) => string): TextPlace[] {
  if (isNonNullType(type)) return textPlaces(type.ofType, path, nameOf);
  if (isListType(type)) return textPlaces(type.ofType, [...path, '0'], nameOf);
  if (isInputObjectType(type)) {
    return Object.values(type.getFields()).flatMap((field) =>
      textPlaces(field.type, [...path, nameOf(field.name)], nameOf),
    );
  }
  const { name } = getNamedType(type);
  return name === 'String' || name.startsWith('JSON') ? [{ path, isJson: name.startsWith('JSON') }] : [];
}

/** A copy of an input with a text at that place; in JSON the text is a key, a value, and an item of a list. */
export function withText(
  input: unknown,
  { path, isJson }: TextPlace,
  text: string,
  isKey = true,
): Record<string, unknown> {
  const copy = structuredClone(input) as Record<string, unknown>;
  const last = path.at(-1)!;
  const parent = path.slice(0, -1).reduce((inner, key) => (inner[key] ??= {}) as Record<string, unknown>, copy);
  const old = Object.entries(parent[last] ?? {});
  const added: [string, unknown][] = [...(isKey ? [[text, [text]] as [string, unknown]] : []), ['value', text]];
  // Object.fromEntries defines `__proto__` like any other key.
  parent[last] = isJson ? Object.fromEntries([...old, ...added]) : text;
  return copy;
}

/** Every text in a value, keys too. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}

/** The documented maximum of characters at a place without another rule, by the last part of its path. */
export const BOUNDS: Record<string, readonly [number, number]> = {
  'CreateWorkflow name': [1, 255],
  'UpdateWorkflow name': [1, 255],
  'CreateWorkflow description': [0, 1_000],
  'UpdateWorkflow description': [0, 1_000],
  'ConnectIntegration label': [1, 255],
  'ConnectIntegration reference': [1, 255],
  'CreateTrigger config': [0, Infinity],
  'UpdateTrigger config': [0, Infinity],
  'ListIntegrations type': [0, Infinity],
  'ListIntegrations reference': [0, Infinity],
  'ListIntegrationTypes search': [0, Infinity],
};
