import { type Clock } from '../../../platform/clock.js';
import { columnsOf } from '../../../platform/db/columns.js';
import { type Transaction } from '../../../platform/db/database.js';
import { toPublicId, newUuid, timeOf } from '../../../platform/ids/ids.js';
import { randomToken, type Secrets, sha256 } from '../../../platform/encryption/secrets.js';
import { type App } from '../apps/app.js';
import { Authorization } from './authorization.entity.js';
import { type Integration } from '../integration.entity.js';
import { type IntegrationAuthorization } from '../integration.inputs.js';
import { type IntegrationStatus, type StatusReason } from '../changes/integration-status.js';
import { type OAuthProtocol } from '../tokens/oauth-client.js';
import { type ChangeRecorder } from '../changes/record-change.js';

/** How long a started flow waits for its callback, in milliseconds. */
export const FLOW_MS = 600_000;

const COLUMNS = columnsOf(Authorization, 'f');

/** `state` and `code_verifier` of a flow. */
export interface FlowSecrets {
  state: string;
  verifier: string;
}

/** Where a flow comes from. */
export interface FlowOrigin {
  /** Where the person is sent at its end; null: to a page of ours. */
  returnUrl: string | null;
  /** How many of our own runs in a row led to it. */
  hops: number;
}

/** The life of OAuth flows in the database: begun, taken by a callback, ended. All in the caller's transaction. */
export class AuthorizationFlows {
  constructor(
    private readonly secrets: Secrets,
    private readonly clock: Clock,
    private readonly changes: ChangeRecorder,
    private readonly protocol: OAuthProtocol,
    private readonly baseUrl: string,
  ) {}

  /**
   * Starts a flow of an integration whose row the caller has locked; one under way ends as `superseded`. A connected
   * integration stays so until the new tokens are there; any other becomes pending.
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
    // A row that was only just made has no version yet: its first change comes from nowhere.
    const from = integration.version === 0 ? null : integration.status;
    if (integration.status !== 'connected') {
      integration = await this.changes.record(tx, integration.uuid, {
        from,
        to: 'pending',
        reason: 'awaiting_authorization',
        hops,
      });
    }
    const resume = status === 'pending' ? (superseded?.resumeStatus ?? 'disconnected') : status;
    return this.insert(tx, app, integration, resume, origin);
  }

  /**
   * Ends a flow that failed: the integration goes back to what it was before. The caller has locked its row.
   * @returns undefined when somebody else had ended the flow, and nothing was changed.
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
    // One that the flow did not make pending is what it is by itself: connected, or expired since.
    const to = from === 'pending' ? flow.resumeStatus : from;
    return this.changes.record(tx, integration.uuid, { from, to, reason, hops: flow.hops });
  }

  /** Removes the flow of an integration, that very one when `flowId` is given. */
  async take(tx: Transaction, integrationId: string, flowId?: string): Promise<Authorization | undefined> {
    const [flow] = await tx.select(
      Authorization,
      `DELETE FROM authorizations f WHERE f.integration_id = $1 AND ($2::uuid IS NULL OR f.id = $2) RETURNING ${COLUMNS}`,
      [integrationId, flowId ?? null],
    );
    return flow;
  }

  /** The secrets of a flow, opened. */
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
