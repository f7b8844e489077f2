import { type Clock } from '../../../platform/clock.js';
import { columnsOf } from '../../../platform/db/columns.js';
import { type Queryable, type Transaction } from '../../../platform/db/database.js';
import { AppError } from '../../../platform/errors.js';
import { fromPublicId, newUuid, timeOf, toPublicId } from '../../../platform/ids/ids.js';
import { randomToken, type Secrets, sha256 } from '../../../platform/encryption/secrets.js';
import { type App } from '../apps/app.js';
import { Authorization } from './authorization.entity.js';
import { type Integration } from '../integration.entity.js';
import { type IntegrationAuthorization } from '../integration.inputs.js';
import { type IntegrationStatus, type StatusReason } from '../changes/integration-status.js';
import { type OAuthProtocol } from '../tokens/oauth-client.js';
import { type ChangeRecorder } from '../changes/record-change.js';

/** How long a flow waits for its callback, in milliseconds. */
export const FLOW_MS = 600_000;
/** The maximum of flows of an account that have not ended. */
export const MAX_OPEN_FLOWS = 10_000;
/** After this time, in seconds, some of them have ended. */
const FLOWS_RETRY_AFTER = 60;

const COLUMNS = columnsOf(Authorization, 'f');

/** `state` and `code_verifier` of a flow. */
export interface FlowSecrets {
  state: string;
  verifier: string;
}

/** What the start of a flow determines about its end. */
export interface FlowOrigin {
  /** Where the browser is redirected at the end; null: to a page of this service. */
  returnUrl: string | null;
  /** How many runs in a row led to it. */
  hops: number;
}

/** OAuth flows in the database: begin, fail, take. All in the caller's transaction. */
export class AuthorizationFlows {
  constructor(
    private readonly secrets: Secrets,
    private readonly clock: Clock,
    private readonly changes: ChangeRecorder,
    private readonly protocol: OAuthProtocol,
    private readonly baseUrl: string,
  ) {}

  /**
   * Starts a flow of an integration whose row the caller has locked. An open flow ends as `superseded`. A connected
   * integration stays connected until the new tokens arrive; any other becomes pending. @throws AppError `rate_limited`
   * if the account has too many open flows.
   */
  async begin(
    tx: Transaction,
    app: App,
    integration: Integration,
    origin: FlowOrigin,
  ): Promise<IntegrationAuthorization> {
    const { hops } = origin;
    const superseded = await this.take(tx, integration.uuid);
    const { status } = integration;
    if (superseded !== undefined) {
      const change = { from: status, to: status, reason: 'superseded', hops } as const;
      integration = await this.changes.record(tx, integration.uuid, change);
    }
    // A new row has version 0: its first change has no previous status.
    const from = integration.version === 0 ? null : integration.status;
    if (integration.status !== 'connected') {
      integration = await this.changes.record(tx, integration.uuid, {
        from,
        to: 'pending',
        reason: 'awaiting_authorization',
        hops,
      });
    }
    // Counted after the change, which locks the account: starts that race for the last place take turns.
    if (superseded === undefined) await this.demandPlace(tx, integration.accountId);
    const resume = status === 'pending' ? (superseded?.resumeStatus ?? 'disconnected') : status;
    return this.insert(tx, app, integration, resume, origin);
  }

  /**
   * Ends a failed flow and restores the integration's earlier status. The caller has locked the integration's row.
   * @returns undefined if the flow had already ended; then nothing changed.
   */
  async fail(
    tx: Transaction,
    integration: Integration,
    flowId: string,
    reason: StatusReason,
  ): Promise<Integration | undefined> {
    const flow = await this.take(tx, integration.uuid, flowId);
    if (flow === undefined) return undefined;
    const { status: from } = integration;
    // An integration that is not pending keeps its status: connected, or expired in between.
    const to = from === 'pending' ? flow.resumeStatus : from;
    return this.changes.record(tx, integration.uuid, { from, to, reason, hops: flow.hops });
  }

  private async demandPlace(tx: Transaction, accountId: string): Promise<void> {
    const [open] = await tx.query<{ flows: number }>(
      `SELECT count(*)::int AS flows FROM (
         SELECT 1 FROM authorizations WHERE account_id = $1 LIMIT ${MAX_OPEN_FLOWS}) f`,
      [accountId],
    );
    if (open!.flows < MAX_OPEN_FLOWS) return;
    const message = `The account has ${MAX_OPEN_FLOWS.toLocaleString('en')} open authorizations, the maximum. An authorization ends after ten minutes.`;
    throw new AppError('rate_limited', message, { retryAfter: FLOWS_RETRY_AFTER });
  }

  /** Deletes and returns the flow of an integration. With `flowId` only that flow: undefined if it has ended. */
  async take(tx: Transaction, integrationId: string, flowId?: string): Promise<Authorization | undefined> {
    const [flow] = await tx.select(
      Authorization,
      `DELETE FROM authorizations f WHERE f.integration_id = $1 AND ($2::uuid IS NULL OR f.id = $2) RETURNING ${COLUMNS}`,
      [integrationId, flowId ?? null],
    );
    return flow;
  }

  /** Whether an integration has a flow that has not ended. */
  async isOpen(on: Queryable, integrationId: string): Promise<boolean> {
    const uuid = fromPublicId('int', integrationId) ?? null;
    return (await on.query(`SELECT 1 FROM authorizations WHERE integration_id = $1`, [uuid])).length > 0;
  }

  /**
   * Of integrations by UUID, whether they have a flow that has not ended, or another version than the given one: then
   * their flow may have been open at that version.
   */
  async mayBeOpen(
    on: Queryable,
    accountId: string,
    seen: readonly Pick<Integration, 'uuid' | 'version'>[],
  ): Promise<boolean[]> {
    const rows = await on.query<{ uuid: string; version: number; isOpen: boolean }>(
      `SELECT i.id AS uuid, i.version, EXISTS (SELECT 1 FROM authorizations f WHERE f.integration_id = i.id) AS "isOpen"
       FROM integrations i WHERE i.account_id = $1 AND i.id = ANY($2)`,
      [accountId, seen.map(({ uuid }) => uuid)],
    );
    const found = new Map(rows.map((row) => [row.uuid, row]));
    return seen.map(({ uuid, version }) => {
      const now = found.get(uuid);
      return now !== undefined && (now.isOpen || now.version !== version);
    });
  }

  /** Decrypts the secrets of a flow. */
  open({ accountId, uuid, secrets }: Authorization): FlowSecrets {
    return JSON.parse(this.secrets.open(secrets, { accountId, table: 'authorizations', id: uuid })) as FlowSecrets;
  }

  private async insert(
    tx: Transaction,
    app: App,
    integration: Integration,
    resume: IntegrationStatus,
    { returnUrl, hops }: FlowOrigin,
  ): Promise<IntegrationAuthorization> {
    const now = this.clock.now();
    const uuid = newUuid(now);
    const { accountId, parameters } = integration;
    const flow: FlowSecrets = { state: randomToken(), verifier: randomToken() };
    const ticket = randomToken();
    const sealed = this.secrets.seal(JSON.stringify(flow), { accountId, table: 'authorizations', id: uuid });
    await tx.query(
      `INSERT INTO authorizations
         (id, account_id, integration_id, state_digest, ticket_digest, secrets, return_url, resume_status, created_at, expires_at,
          hops)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        uuid,
        accountId,
        integration.uuid,
        sha256(flow.state),
        sha256(ticket),
        sealed,
        returnUrl,
        resume,
        timeOf(uuid),
        new Date(now.getTime() + FLOW_MS),
        hops,
      ],
    );
    return {
      redirectUrl: await this.protocol.authorizationUrl({ app, parameters }, flow.state, flow.verifier),
      integrationId: toPublicId('int', integration.uuid),
      connectUrl: `${this.baseUrl}/connect/${ticket}`,
      version: integration.version,
    };
  }
}
