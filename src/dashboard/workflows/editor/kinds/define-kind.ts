import { type ComponentType } from 'react';
import { type ActionKind } from '../../../graphql/enums.generated.js';
import { type TopicName } from '../../../ui/help/topics.js';
import { type Config, type Values } from '../draft-action.js';
import { type WaitPart } from '../wait-part.js';
import { type Icon } from '../../../ui/icons/icon.js';

/** The result of reading a form; `faults` are those that the service cannot detect, e.g. invalid JSON. */
export interface Written {
  config: Config;
  /** By field, e.g. `config.body`. */
  faults: Readonly<Record<string, string>>;
}

/** The editor's definition of one kind of action. */
export interface KindDefinition {
  kind: ActionKind;
  label: string;
  icon: Icon;
  /** A one-line description. */
  explains: string;
  /** The part of the reference about the kind. */
  help: TopicName;
  /** The default name of a new action. */
  name: string;
  /** The config keys with a field in the form; faults of other keys are shown above the form. */
  keys: readonly string[];
  read: (config: Config) => Values;
  write: (values: Values) => Written;
  /** The part of `waits.<name>` that any action of the workflow can read, if the action may wait for something outside. */
  waitPart?: (values: Values) => WaitPart | undefined;
  /** One line for the closed card; empty while nothing is filled in. */
  summary: (values: Values) => string;
  Fields: ComponentType;
}

/** A config value as text: a string unchanged, any other value as JSON; empty when absent. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
