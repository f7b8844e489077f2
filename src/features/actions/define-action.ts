import { type ErrorDetail } from '../../platform/errors.js';
import { type ConfigKey } from '../../platform/json/config-key.js';
import { type OffersType } from './offers-type.js';
import { type Path } from './placeholders/path.js';
import { type RenderScope } from './placeholders/render.js';
import { type StepOutcome, type StepWork } from './step-work.js';
import { type WaitPurpose } from './wait-request.js';

/** An action's config as it was sent, not validated yet. */
export type Config = Readonly<Record<string, unknown>>;

/** What a check may look at beside the value: the whole config, the names of the actions before this one, and all types. */
export interface CheckScope {
  config: Config;
  /** Whether the config is that of a step, with the values of its placeholders. */
  isRendered: boolean;
  earlier: ReadonlySet<string>;
  offersType: OffersType;
}

/** What is wrong with the value of a field, `[]` when nothing is; it may look at the rest of the config too. */
export type KeyCheck = (value: unknown, field: string, scope: CheckScope) => ErrorDetail[];

/** A key of a kind's config, and what is asked of its value. */
export interface ActionKey extends ConfigKey {
  /** Whether this config needs it although others don't. */
  neededBy?: (config: Config) => boolean;
  check: KeyCheck;
  /** The step checks the rendered value itself, so `check` is for the config as it was sent. */
  isCheckedByStep?: true;
  /** A text, or an object of texts: a number or boolean that is all of one once rendered becomes text. */
  isText?: true;
  /** Any JSON, which is passed on as it is: a rendered value is neither copied nor validated. */
  isJson?: true;
}

/** A kind of action, e.g. an HTTP request. Each has a file in `kinds/`. */
export interface ActionDefinition<K extends string = string> {
  /** The name in JSON; GraphQL spells it in upper case. */
  kind: K;
  /** What it does, in a sentence. */
  description: string;
  /** The keys of its config; others are kept and have no effect. */
  keys: Readonly<Record<string, ActionKey>>;
  /** The output of a step that succeeded: what later steps read. */
  output: string;
  /** The id of the integration that a valid config names literally, without a placeholder. */
  integrationId?(config: Config): string | undefined;
  /** The paths that a valid config reads, apart from its placeholders. */
  reads?(config: Config): Path[];
  /** Fills in the placeholders, for a kind that needs more than `renderConfig`. @throws RenderError */
  render?(config: Config, scope: RenderScope): Config;
  /** What the step may wait for with a valid config: its wait then has a URL from the start of the run. */
  waits?(config: Config): WaitPurpose | undefined;
  /** Finishes immediately, without any outside call, so that only its end is stored. */
  isAtOnce?: true;
  /**
   * Executes a rendered config, which was validated again. `scope` is valid until this returns. A returned promise must
   * keep only texts alive: parsed values may take twenty times the memory of their JSON. A rejection is a bug.
   */
  execute(config: Config, work: StepWork, scope: RenderScope): Promise<StepOutcome> | StepOutcome;
}

/** Keeps the literal type of `kind`: the list in `kinds/index.ts` forms the union of all kinds from it. */
export function defineAction<const K extends string>(definition: ActionDefinition<K>): ActionDefinition<K> {
  return Object.freeze(definition);
}
