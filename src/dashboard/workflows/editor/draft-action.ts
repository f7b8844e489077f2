import { type ActionKind } from '../../graphql/enums.generated.js';

/** One of several entries of a field: a header with its name, or one recipient, whose name is empty. */
export interface Row {
  key: string;
  name: string;
  value: string;
}

/** The values of one action's form, by the name of the field. */
export interface Values {
  texts: Readonly<Record<string, string>>;
  rows: Readonly<Record<string, readonly Row[]>>;
}

/** The config of an action in the service's format. */
export type Config = Readonly<Record<string, unknown>>;

/** An action in the service's format. */
export interface SavedAction {
  name: string;
  kind: ActionKind;
  config: Config;
}

/** The application that an action of a template needs: its type, and its name. */
export interface Need {
  type: string;
  name: string;
}

/** An action of a template that only the tab stores, with the values of its form once it was edited. */
export interface PendingAction extends SavedAction {
  needs?: Need | undefined;
  values?: Values;
}

/** The stored actions of a workflow. */
export interface SavedList {
  actions: readonly SavedAction[];
  /** The version of the list, sent on save so that no other user's version is replaced unseen. */
  actionsVersion: string;
}

/** An action that is being edited; `key` stays the same when the action is renamed or moved. */
export interface DraftAction {
  key: string;
  name: string;
  kind: ActionKind;
  values: Values;
  /** The original config: keys without a field are saved unchanged. */
  original: Config;
  /** The application that it needs, until a connection is saved. */
  needs?: Need | undefined;
  /** By field, as in `name`, `config.url`, `config.headers.x-token`. */
  faults: Readonly<Record<string, string>>;
}

/** The number of faults that the forms show. */
export function faultCount(actions: readonly DraftAction[]): number {
  return actions.reduce((sum, { faults }) => sum + Object.keys(faults).length, 0);
}

/** As in `3 errors`. */
export function errorsInWords(count: number): string {
  return count === 1 ? '1 error' : `${count} errors`;
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

/** The values with other keys of their rows, for a copy or after a reload. */
export function withNewKeys({ texts, rows }: Values): Values {
  const copies = Object.entries(rows).map(
    ([field, list]) => [field, list.map(({ name, value }) => newRow(name, value))] as const,
  );
  return { texts, rows: Object.fromEntries(copies) };
}
