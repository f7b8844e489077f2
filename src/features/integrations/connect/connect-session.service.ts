import { newCheckedText, newSessionText, isCheckedText } from '../../api-keys/key-text.js';
import { type Clock } from '../../../platform/clock.js';
import { inField } from '../../../platform/db/owned-rows.js';
import { type Caller, type ConnectSessionCaller, type RequestContext } from '../../../platform/context.js';
import { columnsOf } from '../../../platform/db/columns.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { BatchedReads } from '../../../platform/db/batched-reads.js';
import { AppError, type ErrorDetail, validationError } from '../../../platform/errors.js';
import { newUuid, timeOf, toPublicId } from '../../../platform/ids/ids.js';
import { sha256 } from '../../../platform/encryption/secrets.js';
import { unstorablePath } from '../../../platform/validation.js';
import { type App } from '../apps/app.js';
import { checkParameters } from '../apps/parameters.js';
import { type AppRegistry } from '../apps/registry.js';
import { ConnectSession } from './connect-session.entity.js';
import {
  type CreateConnectSessionInput,
  DEFAULT_EXPIRES_IN,
  type NewConnectSession,
} from './connect-session.inputs.js';
import { type Integration } from '../integration.entity.js';
import { findIntegration } from '../integration.store.js';
import { returnUrlFaults } from '../return-url.js';

const COLUMNS = columnsOf(ConnectSession, 's');
const INSERT = `INSERT INTO connect_sessions (id, account_id, digest, ticket_digest, type, integration_id, label, reference,
    return_url, parameters, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;
/** Concurrent lookup statements for tokens. Bounded for the same reason as those for keys (api-keys/key-lookups.ts). */
const TOKEN_LANES = 2;

/** The dependencies of `ConnectSessions`. */
export interface ConnectSessionDependencies {
  db: Database;
  clock: Clock;
  apps: AppRegistry;
  /** Origins that a browser may be redirected to after a flow. */
  returnOrigins: ReadonlySet<string>;
  baseUrl: string;
}

/** What a session fixes, and for how long. */
export type Terms = Omit<ConnectSession, 'uuid' | 'digest' | 'ticketDigest' | 'createdAt'>;

/** Creates connect sessions, and finds them by token or ticket until they expire. */
export class ConnectSessions {
  private readonly byToken: BatchedReads<Buffer, ConnectSession>;

  constructor(private readonly deps: ConnectSessionDependencies) {
    this.byToken = new BatchedReads(deps.db, (digests) => this.withTokens(digests), TOKEN_LANES);
  }

  /**
   * @throws AppError `validation_error`; `not_found`, `unauthorized` for its integration; `conflict` (unconfigured
   * app).
   */
  async create(context: RequestContext, input: CreateConnectSessionInput): Promise<NewConnectSession> {
    const integration = await this.check(context, input);
    const { db, clock, baseUrl } = this.deps;
    const { type, label, reference, returnUrl, parameters, expiresIn } = input;
    const { session, token, ticket } = this.draft({
      accountId: context.accountId,
      type: integration?.type ?? type ?? null,
      integrationId: integration?.uuid ?? null,
      label: label ?? null,
      reference: reference ?? null,
      returnUrl: returnUrl ?? null,
      parameters: parameters ?? null,
      expiresAt: new Date(clock.now().getTime() + (expiresIn ?? DEFAULT_EXPIRES_IN) * 1_000),
    });
    await db.select(ConnectSession, INSERT, valuesOf(session));
    const { uuid, expiresAt } = session;
    return { id: toPublicId('cs', uuid), token, connectUrl: `${baseUrl}/connect/${ticket}`, expiresAt };
  }

  /** A session that is not stored yet, and its secrets. */
  draft(terms: Terms): { session: ConnectSession; token: string; ticket: string } {
    const [token, ticket] = [newSessionText(), newCheckedText()];
    const uuid = newUuid(this.deps.clock.now());
    const drafted = { uuid, digest: sha256(token), ticketDigest: sha256(ticket), createdAt: timeOf(uuid), ...terms };
    return { session: Object.assign(new ConnectSession(), drafted), token, ticket };
  }

  /** Stores a drafted session in the caller's transaction. */
  async insert(tx: Transaction, session: ConnectSession): Promise<void> {
    await tx.query(INSERT, valuesOf(session));
  }

  /**
   * The caller that holds the token with this SHA-256. May be expired: the caller of this method checks `expiresAt`.
   */
  async callerOf(digest: Buffer): Promise<ConnectSessionCaller | undefined> {
    const session = await this.byToken.load(digest);
    return session && sessionCaller(session);
  }

  private async withTokens(digests: readonly Buffer[]): Promise<(ConnectSession | undefined)[]> {
    const sessions = await this.select('s.digest = ANY($1)', digests);
    const byDigest = new Map(sessions.map((session) => [session.digest.toString('latin1'), session]));
    return digests.map((digest) => byDigest.get(digest.toString('latin1')));
  }

  /** The session of a page's ticket; undefined if it is unknown or expired. */
  async ofTicket(ticket: string): Promise<ConnectSession | undefined> {
    const [session] = isCheckedText(ticket) ? await this.select('s.ticket_digest = $1', sha256(ticket)) : [];
    return session && session.expiresAt > this.deps.clock.now() ? session : undefined;
  }

  /** The caller's session; undefined for any other caller. @throws AppError `unauthorized` if it has just expired. */
  async current(caller: Caller): Promise<ConnectSession | undefined> {
    if (caller.kind !== 'connect_session') return undefined;
    const [session] = await this.select('s.id = $1', caller.sessionId);
    if (session === undefined) throw new AppError('unauthorized', 'The connect session is over.');
    return session;
  }

  private async select(where: string, value: unknown): Promise<ConnectSession[]> {
    return this.deps.db.select(ConnectSession, `SELECT ${COLUMNS} FROM connect_sessions s WHERE ${where}`, [value]);
  }

  /** Validates the input. @returns the integration that the session should reconnect, if it names one. */
  private async check(context: RequestContext, input: CreateConnectSessionInput): Promise<Integration | undefined> {
    const { apps, db, returnOrigins } = this.deps;
    const asked = typeof input.type === 'string' ? apps.get(input.type) : undefined;
    const faults = [...returnUrlFaults(input.returnUrl, returnOrigins), ...keptByReconnect(input)];
    if (typeof input.type === 'string' && asked === undefined)
      faults.push({ field: 'type', message: 'is no integration type of this service' });
    if (asked !== undefined && input.parameters) faults.push(...checkParameters(asked, input.parameters).details);
    // Without a type, the parameters can't be validated any further.
    const unstorable = unstorablePath(input.parameters, 'parameters');
    if (faults.length === 0 && unstorable !== undefined)
      faults.push({ field: unstorable, message: 'must not contain the NUL character or lone surrogates' });
    const [first, ...rest] = faults;
    if (first !== undefined) throw validationError(first, ...rest);
    if (typeof input.integrationId !== 'string') {
      if (asked !== undefined) this.demandConfigured(asked);
      return undefined;
    }
    const integration = await findIntegration(db, context, input.integrationId).catch(inField('integrationId'));
    if (asked !== undefined && asked.type !== integration.type)
      throw validationError({ field: 'type', message: `is not the integration's, which is ${integration.type}` });
    this.checkReconnect(integration, input);
    return integration;
  }

  private checkReconnect({ type }: Integration, { parameters }: CreateConnectSessionInput): void {
    const app = this.deps.apps.get(type);
    if (app === undefined) throw new AppError('conflict', `The integration type ${type} is not offered any more.`);
    const [fault, ...more] = parameters ? checkParameters(app, parameters).details : [];
    if (fault !== undefined) throw validationError(fault, ...more);
    this.demandConfigured(app);
  }

  private demandConfigured(app: App): void {
    if (!this.deps.apps.isConfigured(app)) {
      throw new AppError('conflict', `${app.name} is not configured: the operator has given it no OAuth client.`);
    }
  }
}

/** What a session to reconnect cannot set: the integration has its own. */
function keptByReconnect({ integrationId, label, reference }: CreateConnectSessionInput): ErrorDetail[] {
  if (integrationId == null) return [];
  const message = 'is that of the integration; leave it out to reconnect';
  return Object.entries({ label, reference }).flatMap(([field, given]) => (given == null ? [] : [{ field, message }]));
}

/** The session as the caller of a request. */
export function sessionCaller({ uuid, accountId, integrationId, expiresAt }: ConnectSession): ConnectSessionCaller {
  return { kind: 'connect_session', accountId, sessionId: uuid, integrationId, expiresAt };
}

function valuesOf(session: ConnectSession): unknown[] {
  const { uuid, accountId, digest, ticketDigest, type, integrationId, label, reference, returnUrl } = session;
  const { parameters, createdAt, expiresAt } = session;
  return [
    uuid,
    accountId,
    digest,
    ticketDigest,
    type,
    integrationId,
    label,
    reference,
    returnUrl,
    parameters && JSON.stringify(parameters),
    createdAt,
    expiresAt,
  ];
}
