import { type Facts, recordAudit } from '../audit-log/record-audit.js';
import { type Clock } from '../../platform/clock.js';
import { type RequestContext } from '../../platform/context.js';
import { type Database, type Transaction } from '../../platform/db/database.js';
import { validationError } from '../../platform/errors.js';
import { type SealContext, type Secrets } from '../../platform/encryption/secrets.js';
import { type AppRegistry } from './apps/registry.js';
import { secretFault } from './apps/secret-fault.js';
import { provesEvents } from './events-secret.js';
import { type Integration } from './integration.entity.js';
import { type UpdateIntegrationInput } from './integration.inputs.js';
import { findIntegration, lockIntegration } from './integration.store.js';

/** Called with an integration whose reference was just set, in the transaction that sets it. */
export type ReferenceFollower = (tx: Transaction, integration: Integration) => Promise<void>;

/** Updates name, reference and events secret of an integration. None of these changes its status or version. */
export class IntegrationSettings {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly apps: AppRegistry,
    private readonly onReference: ReferenceFollower,
  ) {}

  /** @throws AppError `validation_error` for a secret that the application can't use. */
  async update(context: RequestContext, id: string, input: UpdateIntegrationInput): Promise<Integration> {
    return this.db.transaction(async (tx) => {
      const before = await lockIntegration(tx, context, id);
      const { uuid, accountId, type } = before;
      const { name, reference, eventsSecret } = input;
      if (eventsSecret !== undefined) this.validateEventsSecret(type, eventsSecret);
      const secret = eventsSecret && this.secrets.seal(eventsSecret, ownerOf(before));
      await tx.query(
        `UPDATE integrations SET name = coalesce($2, name),
           reference = CASE WHEN $3 THEN $4 ELSE reference END,
           provider_secret = CASE WHEN $5 THEN $6 ELSE provider_secret END WHERE id = $1`,
        [uuid, name ?? null, reference !== undefined, reference ?? null, eventsSecret !== undefined, secret ?? null],
      );
      const integration = await findIntegration(tx, context, id);
      if (reference !== undefined) await this.onReference(tx, integration);
      const change = { accountId, action: 'integration.updated', resource: uuid, name: integration.name } as const;
      await recordAudit(tx, this.clock.now(), {
        ...change,
        before: { name: before.name, reference: before.reference },
        after: { name: integration.name, reference: integration.reference, ...this.secretFacts(before, eventsSecret) },
      });
      return integration;
    });
  }

  /** Whether an events secret is another than before, e.g. than one that no key opens. */
  private secretFacts(before: Integration, secret: string | null | undefined): Facts {
    const { sealedProviderSecret: stored } = before;
    if (secret === undefined) return {};
    if (secret === null) return stored === null ? {} : { events_secret: 'removed' };
    return this.secrets.tryOpen(stored, ownerOf(before)) === secret ? {} : { events_secret: 'set' };
  }

  private validateEventsSecret(type: string, secret: string | null): void {
    const app = this.apps.get(type);
    const field = 'eventsSecret';
    if (app === undefined || app.eventSource === null)
      throw validationError({ field, message: `must be left out: ${type} has no events` });
    if (!provesEvents(app)) throw validationError({ field, message: `must be left out: ${type} signs no events` });
    const fault = secret === null ? undefined : secretFault(app, secret);
    if (fault !== undefined) throw validationError({ field, message: fault });
  }
}

function ownerOf({ accountId, uuid }: Integration): SealContext {
  return { accountId, table: 'integrations', id: uuid };
}
