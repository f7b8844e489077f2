import { setTimeout as sleep } from 'node:timers/promises';
import { type StoredBytes } from '../../../platform/admission/daily/stored-bytes.js';
import { Lanes } from '../../../platform/admission/lanes.js';
import { workFor } from '../../../platform/admission/work.js';
import { UNREADABLE, UnreadableError } from '../../../platform/encryption/unreadable.js';
import { LockedAccounts } from '../../../platform/jobs/locked-accounts.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { type DeriveUrls, wholeBody } from '../event-urls.js';
import { failedHere } from '../deliveries/delivery-try.js';
import { endPending } from '../end-pending.js';
import { type DeliveryStatus, isSettled } from '../webhook-status.js';
import { capacityBeside } from './capacity.js';
import { claimDeliveries, type ClaimedDelivery } from './claim-deliveries.js';
import { type FailedSend, type SendDependencies, sendDelivery, type SendOutcome } from './send-delivery.js';
import { type Tracing } from '../../../platform/tracing/span.js';
import { inDeliverySpan } from './delivery-trace.js';
import { dropDelivery, reasonToDrop, settleDelivery, type SettleDependencies } from './settle-delivery.js';

/** The default poll interval of an idle sender. */
const POLL_MS = 500;
/** How long a stop waits for running calls before it aborts them. */
const PATIENCE_MS = 3_000;
/** Attempts to save an outcome; after them the delivery counts as lost. */
const SETTLE_TRIES = 30;
const SETTLE_AGAIN_MS = 1_000;
/** Outcomes of one account that are saved at the same time: its webhooks may be locked by a client's request. */
const SETTLES_AT_ONCE = 2;

/** What an attempt takes besides the response, in bytes: a version of the delivery's row, and its indexes. */
export const ATTEMPT_BYTES = 512;

/** A failure of this service, which is no fault of the receiver. */
type OurFault = Omit<FailedSend, 'tried'>;

const OUR_FAULT: OurFault = {
  kind: 'failed',
  status: null,
  body: null,
  error: 'Something went wrong on our side.',
  notBefore: undefined,
  isOurs: true,
};

const UNSIGNED: OurFault = { ...OUR_FAULT, error: `The secret that signs it cannot be read. ${UNREADABLE}` };

/** Counts as a failure, so that a delivery that kills its sender is not sent forever. */
const LOST: OurFault = { ...OUR_FAULT, error: 'The process that sent it died, or could not save the outcome.' };

/** What the sender needs. */
export interface SenderDependencies extends SendDependencies, SettleDependencies {
  logger: Logger;
  urls: DeriveUrls;
  /** Counts what attempts store. */
  stored?: Pick<StoredBytes, 'add'>;
  tracing?: Tracing | undefined;
  pollMs?: number;
}

/** Sends due deliveries in the worker role, many at once: a slow receiver does not delay others. */
export class WebhookSender {
  /** Since the start of this process: attempts by outcome, and ended deliveries by status. */
  readonly counts = { attempts: { succeeded: 0, failed: 0 }, ended: { succeeded: 0, failed: 0 } };
  private readonly underWay = new Map<string, { delivery: ClaimedDelivery; work: Promise<void> }>();
  /** Webhooks whose pending deliveries are being ended. */
  private readonly ending = new Set<string>();
  /** Accounts whose due deliveries are locked by a client's request. */
  private readonly locked = new LockedAccounts();
  private lockedBefore: ReadonlySet<string> = new Set();
  private readonly settles = new Lanes(SETTLES_AT_ONCE);
  private readonly giveUp = new AbortController();
  private stopped = false;
  private loop: Promise<void> | undefined;
  private wakeUp: (() => void) | undefined;

  constructor(private readonly deps: SenderDependencies) {}

  start(): void {
    this.loop = this.run();
  }

  /** Claims no more deliveries. Running calls have 3 s, then they are aborted and handed back. Can be called again. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.wakeUp?.();
    await this.loop;
    const timer = setTimeout(() => this.giveUp.abort(), PATIENCE_MS);
    await Promise.all([...this.underWay.values()].map(({ work }) => work));
    clearTimeout(timer);
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      let taken = 0;
      try {
        taken = await this.take();
      } catch (error) {
        this.deps.logger.warn(errorFields(error), 'webhooks: due deliveries could not be read');
      }
      if (taken === 0) await this.idle();
    }
  }

  private async take(): Promise<number> {
    const capacity = capacityBeside([...this.underWay.values()].map(({ delivery }) => delivery));
    if (capacity.slots <= 0) return 0;
    const busyAccounts = [...capacity.busyAccounts, ...this.locked.resting];
    const { deliveries, locked } = await claimDeliveries(this.deps.db, { ...capacity, busyAccounts }, [...this.ending]);
    this.noteLocked(locked, deliveries);
    for (const delivery of deliveries) {
      const work = this.deliver(delivery)
        .catch((error: unknown) =>
          this.deps.logger.warn(errorFields(error), 'webhooks: a delivery was abandoned to another sender'),
        )
        .finally(() => {
          this.underWay.delete(delivery.claim);
          this.wakeUp?.();
        });
      this.underWay.set(delivery.claim, { delivery, work });
    }
    return deliveries.length + locked.length;
  }

  /**
   * An account that was chosen twice in a row without a delivery rests, so that others come that send to the same hosts.
   * Once means little: another process may have claimed its deliveries.
   */
  private noteLocked(locked: readonly string[], deliveries: readonly ClaimedDelivery[]): void {
    for (const { accountId } of deliveries) this.locked.clear(accountId);
    for (const account of locked) if (this.lockedBefore.has(account)) this.locked.rest(account);
    this.lockedBefore = new Set(locked);
  }

  private async deliver(delivery: ClaimedDelivery): Promise<void> {
    const problem = reasonToDrop(delivery);
    if (problem !== undefined) {
      this.count(await dropDelivery(this.deps, delivery, problem));
      if (delivery.target?.status !== 'enabled') await this.endOthers(delivery, problem);
      return;
    }
    const outcome = delivery.wasLost ? this.lost(delivery) : await this.send(delivery);
    if (outcome.kind !== 'canceled') {
      this.counts.attempts[outcome.kind] += 1;
      this.deps.stored?.add(delivery.accountId, ATTEMPT_BYTES + (outcome.body?.length ?? 0));
    }
    this.count(await this.settle(delivery, outcome));
  }

  /**
   * Ends the other pending deliveries of a deleted or disabled webhook, for only one of its claimed deliveries at a
   * time.
   */
  private async endOthers({ webhookUuid }: ClaimedDelivery, problem: string): Promise<void> {
    if (this.ending.has(webhookUuid)) return;
    this.ending.add(webhookUuid);
    try {
      const ended = await endPending(this.deps.db, webhookUuid, this.deps.clock.now(), problem);
      this.counts.ended.failed += ended;
    } finally {
      this.ending.delete(webhookUuid);
    }
  }

  private lost({ uuid, attempts }: ClaimedDelivery): SendOutcome {
    this.deps.logger.warn({ delivery: uuid, attempts }, 'webhooks: an attempt was lost with its process');
    return this.failedHere(LOST);
  }

  private async send(delivery: ClaimedDelivery): Promise<SendOutcome> {
    const body = wholeBody(delivery, this.deps.urls, true)!;
    const work = () => sendDelivery({ ...delivery, body }, this.deps, this.giveUp.signal);
    return inDeliverySpan(this.deps, { ...delivery, body }, work).catch((error: unknown) => {
      this.deps.logger.error(
        { delivery: delivery.uuid, ...errorFields(error) },
        'webhooks: a delivery could not be sent',
      );
      return this.failedHere(error instanceof UnreadableError ? UNSIGNED : OUR_FAULT);
    });
  }

  private failedHere(fault: OurFault): FailedSend {
    return { ...fault, tried: failedHere(this.deps.clock.now()) };
  }

  /** Saves an outcome with retries, because an unsaved attempt counts as lost. */
  private async settle(delivery: ClaimedDelivery, outcome: SendOutcome): Promise<DeliveryStatus | undefined> {
    const { accountId } = delivery;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.settles.run(accountId, () =>
          workFor(accountId, () => settleDelivery(this.deps, delivery, outcome)),
        );
      } catch (error) {
        if (tries === SETTLE_TRIES || this.giveUp.signal.aborted) throw error;
        await sleep(SETTLE_AGAIN_MS);
      }
    }
  }

  private count(status: DeliveryStatus | undefined): void {
    if (status !== undefined && isSettled(status)) this.counts.ended[status] += 1;
  }

  private async idle(): Promise<void> {
    const woken = new AbortController();
    this.wakeUp = () => woken.abort();
    await sleep(this.deps.pollMs ?? POLL_MS, undefined, { signal: woken.signal }).catch(() => undefined);
    this.wakeUp = undefined;
  }
}
