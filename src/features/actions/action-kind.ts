import { registerEnumType } from 'type-graphql';
import { type ActionDefinition } from './define-action.js';
import { actionKinds } from './kinds/index.js';

/** The name of a kind in JSON, e.g. `http_request`. */
export type ActionKind = (typeof actionKinds)[number]['kind'];

/** The GraphQL enum: `HTTP_REQUEST` for `http_request`. */
export const ActionKind = Object.fromEntries(actionKinds.map(({ kind }) => [kind.toUpperCase(), kind])) as Readonly<
  Record<Uppercase<ActionKind>, ActionKind>
>;

registerEnumType(ActionKind, {
  name: 'ActionKind',
  description: 'What an action does.',
  valuesConfig: Object.fromEntries(actionKinds.map(({ kind, description }) => [kind.toUpperCase(), { description }])),
});

const definitions = new Map<string, ActionDefinition>(actionKinds.map((definition) => [definition.kind, definition]));

/** The definition of a kind. Never undefined: GraphQL has refused unknown kinds before. */
export function definitionOf(kind: ActionKind): ActionDefinition {
  return definitions.get(kind)!;
}
