import { type ActionKind } from '../../graphql/enums.generated.js';

/** One of several entries of a field: a header with its name, or one recipient, whose name is empty. */
export interface Row {
  key: string;
  name: string;
  value: string;
}

/** What stands in the fields of one action's form, by the name of the field. */
export interface Values {
  texts: Readonly<Record<string, string>>;
  rows: Readonly<Record<string, readonly Row[]>>;
}

/** The config of an action, as the service takes it. */
export type Config = Readonly<Record<string, unknown>>;

/** An action as the service has it. */
export interface SavedAction {
  name: string;
  kind: ActionKind;
  config: Config;
}

/** The actions of a workflow as the service has them. */
export interface SavedList {
  actions: readonly SavedAction[];
  /** The version of the list, sent on save so that no other user's version is replaced unseen. */
  actionsVersion: string;
}

/** An action that is edited; `key` stays its own however it is named and moved. */
export interface DraftAction {
  key: string;
  name: string;
  kind: ActionKind;
  values: Values;
  /** As it was read: what the form does not know of is saved as it was. */
  original: Config;
  /** By field, as in `name`, `config.url`, `config.headers.x-token`. */
  faults: Readonly<Record<string, string>>;
}

let made = 0;

/** A key that no other action or row on this page has. */
export function newKey(): string {
  return `k${(made += 1)}`;
}

/** A row; without arguments an empty one. */
export function newRow(name = '', value = ''): Row {
  return { key: newKey(), name, value };
}
