import { type TablerIcon } from '@tabler/icons-react';
import { type ComponentType } from 'react';
import { type ActionKind } from '../../../graphql/enums.generated.js';
import { type Config, type Values } from '../draft-action.js';

/** What a form makes of its fields; a fault is one that the service can't see, e.g. JSON that is none. */
export interface Written {
  config: Config;
  /** By field, as in `config.body`. */
  faults: Readonly<Record<string, string>>;
}

/** All that the editor knows of one kind of action. */
export interface KindDefinition {
  kind: ActionKind;
  label: string;
  icon: TablerIcon;
  /** What it does, in a line. */
  explains: string;
  /** What a new action of the kind is called. */
  name: string;
  /** Keys of the config that the form has; a fault of any other is told above it. */
  keys: readonly string[];
  read: (config: Config) => Values;
  write: (values: Values) => Written;
  /** One line for the closed card; empty while nothing is filled in. */
  summary: (values: Values) => string;
  Fields: ComponentType;
}

/** A text of a config, or what it is as JSON; empty when absent. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
