import { type TriggerType } from '../../graphql/enums.generated.js';
import { type Config, type Need, type SavedAction } from '../editor/draft-action.js';

/** A workflow to begin with. In its configs, `integration_id` is the type of the connection. */
export interface Template {
  name: string;
  description: string;
  /** The connections that it uses: their types, with the names of the applications. */
  needs: Readonly<Record<string, string>>;
  trigger: { type: TriggerType; config?: Config };
  actions: readonly SavedAction[];
  /** An input to try it with. */
  sample: unknown;
}

/** The application whose events start the workflow; undefined for other triggers. */
export function triggerNeed({ trigger, needs }: Template): Need | undefined {
  const type = trigger.config?.integration_id;
  return typeof type === 'string' ? { type, name: needs[type]! } : undefined;
}

/** A template for the user with this email address. */
export type TemplateFor = (user: { email: string }) => Template;
