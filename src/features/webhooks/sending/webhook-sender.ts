import { setTimeout as sleep } from 'node:timers/promises';
import { UNREADABLE, UnreadableError } from '../../../platform/encryption/unreadable.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { endPending } from '../end-pending.js';
import { type DeliveryStatus } from '../webhook-status.js';
import { capacityBeside } from './capacity.js';
import { claimDeliveries, type ClaimedDelivery } from './claim-deliveries.js';
import { type FailedSend, type SendDependencies, sendDelivery, type SendOutcome } from './send-delivery.js';
import { dropDelivery, reasonToDrop, settleDelivery, type SettleDependencies } from './settle-delivery.js';

/** How often an idle sender looks, unless a test is in a hurry. */
const POLL_MS = 500;
/** How long a stop waits for calls under way before it gives them up. */
const PATIENCE_MS = 3_000;
/** How often an outcome is tried to be written down; after that the attempt is lost. */
const SETTLE_TRIES = 10;
const SETTLE_AGAIN_MS = 1_000;

const OUR_FAULT: FailedSend = {
  kind: 'failed',
  status: null,
  body: null,
  error: 'Something went wrong on our side.',
  notBefore: undefined,
  isOurs: true,
};

const UNSIGNED: FailedSend = { ...OUR_FAULT, error: `The secret that signs it cannot be read. ${UNREADABLE}` };

/** A failure like others, so that a delivery that kills who sends it is not sent for ever. */
const LOST: FailedSend = { ...OUR_FAULT, error: 'The process that sent it died, or could not say what came of it.' };

export interface SenderDependencies extends SendDependencies, SettleDependencies {
  logger: Logger;
  pollMs?: number;
}

/** Sends what is due, many at once, in the worker role: no target's silence delays another's. */
export class WebhookSender {
  /** Since the start of this process: attempts by what came of them, and deliveries by how they ended. */
  readonly counts = { attempts: { succeeded: 0, failed: 0 }, ended: { succeeded: 0, failed: 0 } };
  private readonly underWay = new Map<string, { delivery: ClaimedDelivery; work: Promise<void> }>();
  /** Webhooks whose waiting deliveries are being given up. */
  private readonly ending = new Set<string>();
  private readonly giveUp = new AbortController();
  private stopped = false;
  private loop: Promise<void> | undefined;
  private wakeUp: (() => void) | undefined;

  constructor(private readonly deps: SenderDependencies) {}

  start(): void {
    this.loop = this.run();
  }

  /** Takes nothing more; calls under way have 3 s, then they are given up and handed back. Again: waits for the same end. */
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
        this.deps.logger.warn(errorFields(error), 'webhooks: what is due could not be read');
      }
      if (taken === 0) await this.idle();
    }
  }

  private async take(): Promise<number> {
    const capacity = capacityBeside([...this.underWay.values()].map(({ delivery }) => delivery));
    if (capacity.slots <= 0) return 0;
    const deliveries = await claimDeliveries(this.deps.db, capacity, [...this.ending]);
    for (const delivery of deliveries) {
      const work = this.deliver(delivery)
        .catch((error: unknown) => this.deps.logger.warn(errorFields(error), 'webhooks: a delivery was let go'))
        .finally(() => {
          this.underWay.delete(delivery.claim);
          this.wakeUp?.();
        });
      this.underWay.set(delivery.claim, { delivery, work });
    }
    return deliveries.length;
  }

  private async deliver(delivery: ClaimedDelivery): Promise<void> {
    const problem = reasonToDrop(delivery);
    if (problem !== undefined) {
      this.count(await dropDelivery(this.deps, delivery, problem));
      if (delivery.target?.status !== 'enabled') await this.endOthers(delivery, problem);
      return;
    }
    const outcome = delivery.wasLost ? this.lost(delivery) : await this.send(delivery);
    if (outcome.kind !== 'canceled') this.counts.attempts[outcome.kind] += 1;
    this.count(await this.settle(delivery, outcome));
  }

  /** Gives up what else waits for a webhook that is gone or disabled; by one of the deliveries that came upon it. */
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
    return LOST;
  }

  private send(delivery: ClaimedDelivery): Promise<SendOutcome> {
    const body = delivery.body!;
    return sendDelivery({ ...delivery, body }, this.deps, this.giveUp.signal).catch((error: unknown) => {
      this.deps.logger.error(
        { delivery: delivery.uuid, ...errorFields(error) },
        'webhooks: a delivery can not be sent',
      );
      return error instanceof UnreadableError ? UNSIGNED : OUR_FAULT;
    });
  }

  /** Tried for a while, as what is not written down counts as lost. */
  private async settle(delivery: ClaimedDelivery, outcome: SendOutcome): Promise<DeliveryStatus | undefined> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await settleDelivery(this.deps, delivery, outcome);
      } catch (error) {
        if (tries === SETTLE_TRIES || this.giveUp.signal.aborted) throw error;
        await sleep(SETTLE_AGAIN_MS);
      }
    }
  }

  private count(status: DeliveryStatus | undefined): void {
    if (status === 'succeeded' || status === 'failed') this.counts.ended[status] += 1;
  }

  private async idle(): Promise<void> {
    const woken = new AbortController();
    this.wakeUp = () => woken.abort();
    await sleep(this.deps.pollMs ?? POLL_MS, undefined, { signal: woken.signal }).catch(() => undefined);
    this.wakeUp = undefined;
  }
}
