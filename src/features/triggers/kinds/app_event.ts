import { findOwned, inField, withField } from '../../../platform/db/owned-rows.js';
import { notFound, validationError } from '../../../platform/errors.js';
import { textFault } from '../../../platform/validation.js';
import { type TriggerConfig } from '../trigger-config.js';
import { defineTriggerKind, type ValidationScope } from '../define-trigger-kind.js';
import { checkFilter, FILTER, FILTER_SCHEMA } from '../event-filter.js';

const MAX_NAME = 255;

type IntegrationState = {
  uuid: string;
  type: string;
  status: string;
  deleted: boolean;
};

/**
 * Fires on an `event` of a connected integration: of any that offers it, or only of `integration_id`, if it passes
 * `filter`.
 */
export const app_event = defineTriggerKind({
  type: 'app_event',
  description: 'Fires on an event in a connected application.',
  keys: {
    event: {
      required: true,
      about:
        'The name of the event, e.g. `push`. It must be one that a connected integration of the account offers: see `events` of the integration types.',
      schema: { type: 'string', minLength: 1, maxLength: MAX_NAME, examples: ['push'] },
    },
    integration_id: {
      required: false,
      about:
        'The integration whose events fire the trigger. Without it, the events of every integration that offers the event do.',
      schema: { type: 'string', examples: ['int_01kagrx8010000000000000000'] },
    },
    filter: {
      required: false,
      about: FILTER,
      schema: FILTER_SCHEMA,
    },
  },
  hasHook: false,
  async validate(config: TriggerConfig, scope: ValidationScope) {
    const { event, integration_id: integrationId, filter } = config;
    const { faults } = scope;
    if (event === undefined) faults.add('event', 'is required');
    else faults.add('event', textFault(event, 1, MAX_NAME));
    if (integrationId !== undefined && typeof integrationId !== 'string')
      faults.add('integration_id', 'must be the id of an integration');
    if (filter !== undefined) checkFilter(filter, faults);
    faults.refuse();
    const name = event as string;
    if (integrationId === undefined) {
      await demandSource(name, scope);
      return { event: name };
    }
    return { event: name, integrationUuid: await demandIntegration(integrationId as string, name, scope) };
  },
});

/** Locks a connected integration that offers the event, as below. @throws AppError `validation_error` without one. */
async function demandSource(event: string, { tx, accountId, events }: ValidationScope): Promise<void> {
  const types = events.typesOffering(event);
  if (types.length === 0) throw refusal('event', `no application offers an event "${event}"`);
  const [source] = await tx.query(
    `SELECT 1 FROM integrations
     WHERE account_id = $1 AND type = ANY($2) AND status = 'connected' AND deleted_at IS NULL LIMIT 1 FOR SHARE`,
    [accountId, types],
  );
  if (source === undefined)
    throw refusal('event', `no connected integration offers "${event}": connect one of ${types.join(', ')}`);
}

const INTEGRATION = 'config.integration_id';

/** Locks the integration until the trigger is stored. If it loses its connection then, the change finds the trigger. */
async function demandIntegration(
  id: string,
  event: string,
  { tx, accountId, events }: ValidationScope,
): Promise<string> {
  const integration = await findOwned<IntegrationState>(
    tx,
    { table: 'integrations', accountId, id, lock: 'FOR SHARE' },
    'id AS uuid, type, status, deleted_at IS NOT NULL AS deleted',
  ).catch(inField(INTEGRATION));
  if (integration.deleted) throw withField(notFound('integration'), INTEGRATION);
  if (!events.typesOffering(event).includes(integration.type))
    throw refusal('event', `"${event}" is no event of ${integration.type}`);
  if (integration.status !== 'connected')
    throw refusal('integration_id', `the integration is ${integration.status}, not connected: reconnect it first`);
  return integration.uuid;
}

function refusal(key: string, message: string) {
  return validationError({ field: `config.${key}`, message });
}
