import { type Queryable } from '../../platform/db/database.js';
import { type ErrorDetail, validationError } from '../../platform/errors.js';
import { type TriggerConfig } from './trigger-config.js';
import { type TriggerType } from '../workflows/trigger-type.js';

/** Which applications offer an event. */
export interface EventCatalog {
  typesOffering(event: string): string[];
  eventsOf(type: string): readonly string[];
}

/** What a kind may look at while it judges a config: the transaction that will store it, and the account's things in it. */
export interface ValidationScope {
  tx: Queryable;
  accountId: string;
  now: Date;
  events: EventCatalog;
}

/** The columns beside the config that a kind fills, so that its triggers are found when they are due. */
export interface TriggerColumns {
  event: string | null;
  integrationUuid: string | null;
  /** A schedule's ticks at or after this moment are to come. */
  ticksFrom: Date | null;
}

export interface TriggerKind {
  type: TriggerType;
  /** Whether each of its triggers has an inbound address of its own. */
  hasHook: boolean;
  /** Checks a whole config. @throws AppError `validation_error` naming each faulty field of it. */
  validate(config: TriggerConfig, scope: ValidationScope): Partial<TriggerColumns> | Promise<Partial<TriggerColumns>>;
}

/** A kind of trigger. Adding one is a file here and a line in `index.ts`. */
export function defineTriggerKind<const K extends TriggerKind>(kind: K): K {
  return kind;
}

/** Collects what is wrong in a config; fields are named `config.<path>`. */
export class ConfigFaults {
  private readonly details: ErrorDetail[] = [];

  add(path: string, message: string | undefined): void {
    if (message !== undefined) this.details.push({ field: `config.${path}`, message });
  }

  /** @throws AppError `validation_error` with all that was added, when anything was. */
  refuse(): void {
    const [first, ...rest] = this.details;
    if (first !== undefined) throw validationError(first, ...rest);
  }
}
