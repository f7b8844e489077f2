import { setTimeout as sleep } from 'node:timers/promises';
import { errorFields, type Logger } from '../../logger.js';
import { type Capacity, claimDeliveries, type ClaimedDelivery, guestOf } from './claim-deliveries.js';
import { type SendDependencies, sendDelivery, type SendOutcome } from './send-delivery.js';
import { dropDelivery, settleDelivery, type SettleDependencies } from './settle-delivery.js';

/** Deliveries that a process sends at once, and how many under way make a host, an account, or an account at a host wait. */
const SLOTS = 256;
const BUSY_HOST = 32;
const BUSY_ACCOUNT = 64;
const BUSY_GUEST = 8;
/** How often an idle sender looks, unless a test is in a hurry. */
const POLL_MS = 500;
/** How long a stop waits for calls under way before it gives them up. */
const PATIENCE_MS = 3_000;
/** How often an outcome is tried to be written down; after that the delivery is sent again. */
const SETTLE_TRIES = 10;
const SETTLE_AGAIN_MS = 1_000;

const OUR_FAULT: SendOutcome = {
  kind: 'failed',
  status: null,
  body: null,
  error: 'Something went wrong on our side.',
  notBefore: undefined,
};

export interface SenderDependencies extends SendDependencies, SettleDependencies {
  logger: Logger;
  pollMs?: number;
}

/** Sends what is due, many at once, in the worker role: no target's silence delays another's. */
export class WebhookSender {
  private readonly underWay = new Map<string, { delivery: ClaimedDelivery; work: Promise<void> }>();
  private readonly giveUp = new AbortController();
  private stopped = false;
  private loop: Promise<void> | undefined;
  private wakeUp: (() => void) | undefined;

  constructor(private readonly its: SenderDependencies) {}

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
        this.its.logger.warn(errorFields(error), 'webhooks: what is due could not be read');
      }
      if (taken === 0) await this.idle();
    }
  }

  private async take(): Promise<number> {
    const capacity = this.capacity();
    if (capacity.slots === 0) return 0;
    const deliveries = await claimDeliveries(this.its.db, this.its.clock.now(), capacity);
    for (const delivery of deliveries) {
      const work = this.deliver(delivery)
        .catch((error: unknown) => this.its.logger.warn(errorFields(error), 'webhooks: a delivery was let go'))
        .finally(() => {
          this.underWay.delete(delivery.claim);
          this.wakeUp?.();
        });
      this.underWay.set(delivery.claim, { delivery, work });
    }
    return deliveries.length;
  }

  private async deliver(delivery: ClaimedDelivery): Promise<void> {
    const { body, target } = delivery;
    if (body === null || target?.status !== 'enabled') {
      await dropDelivery(this.its, delivery);
      return;
    }
    const outcome = await sendDelivery({ ...delivery, body }, this.its, this.giveUp.signal).catch((error: unknown) => {
      this.its.logger.error({ delivery: delivery.uuid, ...errorFields(error) }, 'webhooks: a delivery can not be sent');
      return OUR_FAULT;
    });
    await this.settle(delivery, outcome);
  }

  /** Tried for a while, as what is not written down is sent again. */
  private async settle(delivery: ClaimedDelivery, outcome: SendOutcome): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await settleDelivery(this.its, delivery, outcome);
        return;
      } catch (error) {
        if (tries === SETTLE_TRIES || this.giveUp.signal.aborted) throw error;
        await sleep(SETTLE_AGAIN_MS);
      }
    }
  }

  private capacity(): Capacity {
    const targets = [...this.underWay.values()].map(({ delivery }) => delivery);
    return {
      slots: SLOTS - targets.length,
      busyHosts: atLeast(
        BUSY_HOST,
        targets.map(({ target }) => target?.host ?? ''),
      ),
      busyAccounts: atLeast(
        BUSY_ACCOUNT,
        targets.map(({ accountId }) => accountId),
      ),
      busyGuests: atLeast(
        BUSY_GUEST,
        targets.map(({ accountId, target }) => guestOf(accountId, target?.host ?? '')),
      ),
    };
  }

  private async idle(): Promise<void> {
    const woken = new AbortController();
    this.wakeUp = () => woken.abort();
    await sleep(this.its.pollMs ?? POLL_MS, undefined, { signal: woken.signal }).catch(() => undefined);
    this.wakeUp = undefined;
  }
}

/** What stands so often in a list. */
function atLeast(times: number, values: readonly string[]): string[] {
  return [...Map.groupBy(values, (value) => value)].filter(([, same]) => same.length >= times).map(([value]) => value);
}
