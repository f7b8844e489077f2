import { type AnyVariables, type Client, type TypedDocumentNode } from 'urql';
import { type Config, type PendingAction, type SavedAction } from '../editor/draft-action.js';
import { DeleteWorkflowDocument } from '../workflow.generated.js';
import { CreateWorkflowDocument } from '../workflows.generated.js';
import { type Template, triggerNeed } from './template.js';
import { ConnectionOfTypeDocument, FillWorkflowDocument } from './templates.generated.js';

/** How the workflow of a template is created. */
export interface Making {
  name: string;
  description: string;
  activates: boolean;
  /** The id of a connection of a type; undefined if there is none. */
  connectionOf: (type: string) => Promise<string | undefined>;
}

/** A workflow from a template; `pending` are its actions if a connection is missing, which the user has to choose. */
export interface Made {
  id: string;
  pending: readonly PendingAction[] | undefined;
}

/** Creates the whole workflow, or nothing. @throws CombinedError, MissingConnection */
export async function createFromTemplate(client: Client, template: Template, making: Making): Promise<Made> {
  const ids = await connectionsOf(template, making);
  const config = template.trigger.config && connected(template.trigger.config, ids);
  if (config?.integration_id === '') throw new MissingConnection(triggerNeed(template)!.name);
  const actions = template.actions.map((action) => ({ ...action, config: connected(action.config, ids) }));
  const isComplete = actions.every(({ config: { integration_id: id } }) => id !== '');
  const { name, description, activates } = making;
  const { createWorkflow } = await mutate(client, CreateWorkflowDocument, { input: { name, description } });
  const { id } = createWorkflow;
  try {
    const trigger = { workflowId: id, type: template.trigger.type, config };
    await mutate(client, FillWorkflowDocument, { id, actions: isComplete ? actions : [], trigger, activates });
  } catch (error) {
    await client.mutation(DeleteWorkflowDocument, { id }).toPromise();
    throw error;
  }
  return {
    id,
    pending: isComplete ? undefined : template.actions.map((action, at) => pendingOf(action, actions[at]!, template)),
  };
}

/** The action with its connection, or with the application that it needs. */
function pendingOf({ config }: SavedAction, action: SavedAction, { needs }: Template): PendingAction {
  const type = config.integration_id as string;
  return action.config.integration_id === '' ? { ...action, needs: { type, name: needs[type]! } } : action;
}

/** A trigger cannot be created without the connection that sends its events. */
class MissingConnection extends Error {
  constructor(application: string) {
    super(`It starts with events of ${application}. Connect ${application} first.`);
  }
}

/** The data of a mutation. @throws CombinedError */
export async function mutate<D, V extends AnyVariables>(
  client: Client,
  document: TypedDocumentNode<D, V>,
  variables: V,
): Promise<D> {
  const { data, error } = await client.mutation(document, variables).toPromise();
  if (error !== undefined) throw error;
  return data!;
}

/** The id of the newest connection of a type that works. @throws CombinedError */
export async function connectionOfType(client: Client, type: string): Promise<string | undefined> {
  const options = { requestPolicy: 'network-only' } as const;
  const { data, error } = await client.query(ConnectionOfTypeDocument, { type }, options);
  if (data === undefined) throw error!;
  return data.integrations.items[0]?.id;
}

async function connectionsOf(template: Template, { connectionOf }: Making): Promise<ReadonlyMap<string, string>> {
  const configs = [template.trigger.config, ...template.actions.map(({ config }) => config)];
  const types = new Set(configs.flatMap((config) => (config?.integration_id as string | undefined) ?? []));
  const ids = new Map<string, string>();
  for (const type of types) ids.set(type, (await connectionOf(type)) ?? '');
  return ids;
}

/** With the id of the connection for its type; an empty id where there is none. */
function connected(config: Config, ids: ReadonlyMap<string, string>): Config {
  const { integration_id: type } = config;
  return typeof type === 'string' ? { ...config, integration_id: ids.get(type) } : config;
}
