import { type Queryable } from '../../platform/db/database.js';
import { type ErrorDetail, validationError } from '../../platform/errors.js';
import { type ConfigKeys } from '../../platform/json/config-key.js';
import { type TriggerConfig } from './trigger-config.js';
import { type TriggerType } from '../workflows/trigger-type.js';

/** Which apps offer which events. */
export interface EventCatalog {
  typesOffering(event: string): string[];
  eventsOf(type: string): readonly string[];
}

/** What a kind may use to validate a config: `tx` is the transaction that will store the trigger. */
export interface ValidationScope {
  tx: Queryable;
  accountId: string;
  now: Date;
  events: EventCatalog;
  /** Those found so far. */
  faults: ConfigFaults;
}

/** The columns besides the config that a kind sets, by which its triggers are found when they are due. */
export interface TriggerColumns {
  event: string | null;
  integrationUuid: string | null;
  /** The time from which a schedule's next tick is computed. */
  ticksFrom: Date | null;
}

/** The definition of a trigger kind. */
export interface TriggerKind {
  type: TriggerType;
  /** When it fires, in a sentence. */
  description: string;
  /** The keys that `validate` reads. */
  keys: ConfigKeys;
  /** Whether each of its triggers has an inbound URL of its own. */
  hasHook: boolean;
  /** Validates a whole config. @throws AppError `validation_error` that names each invalid field. */
  validate(config: TriggerConfig, scope: ValidationScope): Partial<TriggerColumns> | Promise<Partial<TriggerColumns>>;
}

/** Defines a trigger kind. To add one: a file in `kinds/` and a line in its `index.ts`. */
export function defineTriggerKind<const K extends TriggerKind>(kind: K): K {
  return kind;
}

/** Collects the errors of a config; fields are named `config.<path>`. */
export class ConfigFaults {
  private readonly details: ErrorDetail[];

  constructor(known: readonly ErrorDetail[] = []) {
    this.details = [...known];
  }

  /** Adds an error, unless `message` is undefined. */
  add(path: string, message: string | undefined): void {
    if (message !== undefined) this.details.push({ field: `config.${path}`, message });
  }

  /** @throws AppError `validation_error` with all added errors, if any. */
  refuse(): void {
    const [first, ...rest] = this.details;
    if (first !== undefined) throw validationError(first, ...rest);
  }
}
