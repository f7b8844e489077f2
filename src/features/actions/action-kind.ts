import { registerEnumType } from 'type-graphql';
import { keyList } from '../../platform/json/config-key.js';
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

/** The config of each kind as a Markdown list, for the description of the field. */
export const CONFIG_BY_KIND = actionKinds
  .map(({ kind, description, keys }) => `- \`${kind.toUpperCase()}\`: ${description}\n${keyList(keys, '  ')}`)
  .join('\n');

const definitions = new Map<string, ActionDefinition>(actionKinds.map((definition) => [definition.kind, definition]));

/** The definition of a kind. Never undefined: GraphQL has refused unknown kinds before. */
export function definitionOf(kind: ActionKind): ActionDefinition {
  return definitions.get(kind)!;
}
