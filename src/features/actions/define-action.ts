import { type ErrorDetail } from '../../platform/errors.js';
import { type Path } from './path.js';
import { type RenderScope } from './render.js';
import { type StepOutcome, type StepWork } from './step-work.js';

/** An action's config as it was sent, before anything is known about it. */
export type Config = Readonly<Record<string, unknown>>;

/** A kind of action: what a workflow can do. One file in `kinds/` each. */
export interface ActionDefinition<K extends string = string> {
  /** The word in JSON; GraphQL spells it in upper case. */
  kind: K;
  description: string;
  /**
   * What is wrong with a config of this kind, with fields that begin with `at`. Texts are known to be storable;
   * malformed placeholders are reported elsewhere. `earlier` are the names of the actions before this one.
   */
  validate(config: Config, at: string, earlier: ReadonlySet<string>): ErrorDetail[];
  /** The id of the integration that a valid config names, if it names one outright. */
  integrationId?(config: Config): string | undefined;
  /** The paths that a valid config reads beside its placeholders. */
  reads?(config: Config): Path[];
  /** The config with its placeholders filled in, where that is done in a way of its own. @throws RenderError */
  render?(config: Config, scope: RenderScope): Config;
  /** Asks nobody: over as soon as it began, so that only its end is worth a row. */
  isAtOnce?: true;
  /**
   * Executes a config that was rendered and validated again; `scope` is there until it returns. What it awaits holds texts
   * alone: the values of a config may take twenty times the memory of their JSON. A rejection is a fault of ours.
   */
  execute(config: Config, work: StepWork, scope: RenderScope): Promise<StepOutcome> | StepOutcome;
}

/** Keeps the literal type of `kind`, of which the list in `kinds/index.ts` makes the union of all kinds. */
export function defineAction<const K extends string>(definition: ActionDefinition<K>): ActionDefinition<K> {
  return Object.freeze(definition);
}
