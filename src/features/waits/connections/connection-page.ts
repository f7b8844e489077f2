import { workFor } from '../../../platform/admission/work.js';
import { type Clock } from '../../../platform/clock.js';
import { type Database, type Queryable, type Transaction } from '../../../platform/db/database.js';
import { type ActionService } from '../../actions/action.service.js';
import { type Chosen, type SessionPage, type ShownSession } from '../../integrations/connect/session-page.js';
import { type UserSessions } from '../../integrations/connect/user-sessions.js';
import { isFinished } from '../../runs/run-status.js';
import { type RetriedWaits } from '../answering/retried-waits.js';
import { type PlacedWaits, type RunOfPage } from '../placed-waits.js';
import { type Wait } from '../wait.entity.js';
import { type WaitPlace, type WaitTokens } from '../wait-tokens.js';
import { lockConnections, type Owned } from './lock-connections.js';

/** A pending wait for a connection, which has an end and names the end user. */
type PendingWait = Wait & { integrationType: string; reference: string; expiresAt: Date };

/** The state of a wait for a connection as its page shows it. `early`: its run has not reached it. */
export type ShownWait =
  | { kind: 'early' }
  | { kind: 'asked'; wait: PendingWait; shown: ShownSession }
  | { kind: 'connected'; appName: string }
  | { kind: 'over'; accountId: string };

/** The dependencies of `ConnectionPage`. */
export interface ConnectionPageDependencies {
  db: Database;
  clock: Clock;
  tokens: WaitTokens;
  places: PlacedWaits;
  actions: Pick<ActionService, 'waitsOf'>;
  retried: RetriedWaits;
  sessions: UserSessions;
  page: SessionPage;
  /** The name of an integration type for people. */
  nameOf: (type: string) => string;
}

/** The page behind the `connect_url` of a wait. Opening it changes nothing; its form makes the connect session. */
export class ConnectionPage {
  constructor(private readonly deps: ConnectionPageDependencies) {}

  /** Undefined for a made-up token, or if the run is not stored any more. */
  async find(token: string, chosen: Chosen): Promise<ShownWait | undefined> {
    const place = this.deps.tokens.placeOf('connection', token);
    if (place === undefined) return undefined;
    const found = await this.findAt(place, chosen);
    if (found?.kind !== 'over') return found;
    const next = await workFor(found.accountId, () => this.deps.retried.placeAfter('connection', place));
    return next === undefined ? found : this.findAt(next, chosen);
  }

  private async findAt(place: WaitPlace, chosen: Chosen): Promise<ShownWait | undefined> {
    const wait = await this.deps.places.wait(place);
    if (wait === undefined) return this.before(place);
    if (wait.status === 'answered') return { kind: 'connected', appName: this.deps.nameOf(wait.integrationType!) };
    if (!this.isOpen(wait)) return { kind: 'over', accountId: wait.accountId };
    return workFor(wait.accountId, () => this.asked(wait, chosen));
  }

  private async asked(wait: PendingWait, chosen: Chosen): Promise<ShownWait> {
    const own = wait.connectSessionUuid === null ? [] : [wait.connectSessionUuid];
    const { session } = await this.sessionOf(this.deps.db, wait, own);
    return { kind: 'asked', wait, shown: await this.deps.page.shown(session, chosen) };
  }

  /**
   * Keeps the session of a wait that is asked, so that later attempts go on with it. All pending waits for one end user's
   * connection share it: one integration comes of them, whichever pages are used. Undefined if the wait ended first.
   */
  begin({ wait }: Extract<ShownWait, { kind: 'asked' }>, chosen: Chosen): Promise<ShownSession | undefined> {
    return workFor(wait.accountId, () => this.keepSession(wait, chosen));
  }

  private async keepSession(wait: PendingWait, chosen: Chosen): Promise<ShownSession | undefined> {
    const { db, page } = this.deps;
    const session = await db.transaction(async (tx) => {
      await lockConnections(tx, [ownedBy(wait)]);
      if (!(await isPending(tx, wait))) return undefined;
      const found = await this.sessionOf(tx, wait, await sharedSessions(tx, wait));
      await this.deps.sessions.keep(tx, found.session, found.isStored, wait.expiresAt);
      await tx.query(`UPDATE waits SET connect_session_id = $2 WHERE id = $1`, [wait.uuid, found.session.uuid]);
      return found.session;
    });
    return session && page.shown(session, chosen);
  }

  /** The page of a wait that has no row. */
  private async before(place: WaitPlace): Promise<ShownWait | undefined> {
    const run = await this.deps.places.run(place);
    if (run === undefined || !(await workFor(run.accountId, () => this.asksAt(run, place)))) return undefined;
    return isFinished(run.status) ? { kind: 'over', accountId: run.accountId } : { kind: 'early' };
  }

  /** Whether an action of the run may wait for a connection there. A run whose actions can't be read may. */
  private async asksAt(run: RunOfPage, { index }: WaitPlace): Promise<boolean> {
    const waits = await this.deps.actions.waitsOf(run.accountId, run.actionsId);
    return waits === undefined || waits.some((wait) => wait.index === index && wait.purpose === 'connection');
  }

  private isOpen(wait: Wait): wait is PendingWait {
    return wait.status === 'pending' && wait.expiresAt !== null && wait.expiresAt > this.deps.clock.now();
  }

  /** The latest usable one of some sessions, or a draft. */
  private async sessionOf(on: Queryable, wait: PendingWait, stored: readonly string[]) {
    const { sessions } = this.deps;
    const latest = await sessions.latest(on, stored);
    if (latest !== undefined) return { session: latest, isStored: true };
    return { session: await sessions.draft(on, ownedBy(wait), wait.expiresAt), isStored: false };
  }
}

async function isPending(tx: Transaction, { uuid }: Wait): Promise<boolean> {
  const [row] = await tx.query<{ status: string }>(`SELECT status FROM waits WHERE id = $1`, [uuid]);
  return row?.status === 'pending';
}

/** The sessions of all pending waits for the connection of a wait. */
async function sharedSessions(tx: Transaction, wait: PendingWait): Promise<string[]> {
  const { accountId, type, reference } = ownedBy(wait);
  const rows = await tx.query<{ session: string }>(
    `SELECT DISTINCT connect_session_id AS session FROM waits
     WHERE account_id = $1 AND integration_type = $2 AND reference = $3 AND status = 'pending' AND kind = 'connection'
       AND connect_session_id IS NOT NULL`,
    [accountId, type, reference],
  );
  return rows.map(({ session }) => session);
}

function ownedBy({ accountId, integrationType: type, reference }: PendingWait): Owned {
  return { accountId, type, reference };
}
