import cluster from 'node:cluster';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LoadedConfig } from '../../platform/config/config.js';
import { errorFields, type Logger } from '../../platform/logging/logger.js';
import { LeaseHub } from '../../platform/processes/lease-hub.js';
import { MetricsHub } from '../../platform/processes/metrics-hub.js';
import { SPENDING_KINDS } from '../../platform/processes/spending.js';
import { SpendingHub } from '../../platform/processes/spending-hub.js';
import { type DatabaseLocation } from '../database-location.js';
import { logListening } from '../listening.js';
import { type Begin, TOPICS } from './begin.js';
import { Deaths, MAX_DEATHS } from './deaths.js';
import { BEATS, Heartbeat } from './heartbeat.js';
import { type End, Member, statusOf } from './member.js';

/** The time for a drain beyond DRAIN_DELAY, in milliseconds. A process that takes longer is killed. */
const DRAIN_MS = 25_000;

/**
 * The primary process of several: starts the others, starts them again when they die, and counts what they share. It serves no
 * request and holds no connection to the database; the embedded database belongs to it.
 */
export class Supervisor {
  private readonly members = new Map<number, Member>();
  private readonly restarts = new Set<NodeJS.Timeout>();
  private readonly deaths = new Deaths();
  private readonly spending = SPENDING_KINDS.map((kind) => new SpendingHub(kind));
  private readonly leases = new LeaseHub();
  private readonly metrics = new MetricsHub();
  private hasServed = false;
  private isStopping = false;

  constructor(
    private readonly loaded: LoadedConfig,
    private readonly database: DatabaseLocation,
    private readonly logger: Logger,
    private readonly beats = BEATS,
  ) {}

  /** Starts all processes, the first one alone: it migrates the database, and says what hinders the start. */
  async start(): Promise<void> {
    const entry = new URL(`./one-of-several${extname(import.meta.url)}`, import.meta.url);
    // Round-robin: the primary accepts, so a process that dies takes no waiting connection with it.
    cluster.schedulingPolicy = cluster.SCHED_RR;
    cluster.setupPrimary({ exec: fileURLToPath(entry), args: [], serialization: 'advanced' });
    for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => this.stopOn(signal));
    const { processes } = this.loaded.config;
    const all = Array.from({ length: processes }, (_, index) => this.fork(index + 1));
    const [first, ...others] = all;
    this.begin(first!);
    await first!.ready;
    this.hasServed = true;
    others.forEach((member) => this.begin(member));
    await Promise.all(others.map(({ ready, ended }) => Promise.race([ready, ended])));
    if (this.isStopping) return;
    logListening(this.logger, this.loaded.config, this.database.dataDir);
    await this.welcome();
  }

  private fork(place: number): Member {
    const member = new Member(place);
    this.members.set(place, member);
    for (const hub of [...this.spending, this.leases, this.metrics]) hub.connect(member.channel);
    const heartbeat = new Heartbeat(member.channel, () => this.endHung(member), this.beats);
    void member.ready.then(() => {
      for (const hub of this.spending) void hub.add(member.channel);
      heartbeat.start();
    });
    void member.ended.then((end) => {
      heartbeat.stop();
      this.bury(member, end);
    });
    return member;
  }

  private begin({ channel }: Member): void {
    const { url, directUrl, encryptionKeys, dataDir } = this.database;
    const body: Begin = {
      loaded: this.loaded,
      database: { url, directUrl, encryptionKeys, dataDir },
      isFirst: !this.hasServed,
    };
    void channel.tell(TOPICS.begin, body);
  }

  /** One process prints the set-up link; another one if that dies. */
  private async welcome(): Promise<void> {
    for (const { channel } of this.members.values()) {
      const isDone = await channel.ask(TOPICS.welcome).then(
        () => true,
        () => false,
      );
      if (isDone) return;
    }
  }

  private bury({ place, channel, pid }: Member, end: End): void {
    this.members.delete(place);
    for (const hub of [...this.spending, this.leases, this.metrics]) hub.remove(channel);
    if (this.isStopping) return;
    // The process has printed why.
    if (!this.hasServed) return void this.stop(statusOf(end));
    this.logger.error({ process: place, pid, ended_by: end }, 'a process of the service died');
    const pause = this.deaths.count();
    if (pause !== undefined) return this.restart(place, pause);
    this.logger.error(`${MAX_DEATHS} processes died within a minute: the service ends`);
    void this.stop(1);
  }

  private restart(place: number, pause: number): void {
    const timer = setTimeout(() => {
      this.restarts.delete(timer);
      const member = this.fork(place);
      this.begin(member);
      void member.ready.then(() =>
        this.logger.info({ process: place, pid: member.pid }, 'a process of the service runs again'),
      );
    }, pause);
    this.restarts.add(timer);
  }

  private stopOn(signal: string): void {
    if (this.isStopping) return;
    this.logger.info({ signal }, 'stopping');
    void this.stop(0);
  }

  /** Drains all processes at once, then stops the database and ends. */
  private async stop(status: number): Promise<void> {
    this.isStopping = true;
    for (const timer of this.restarts) clearTimeout(timer);
    const left = [...this.members.values()];
    const cut = setTimeout(() => {
      for (const member of left) if (!member.hasEnded) this.cut(member);
    }, this.loaded.config.drainDelay + DRAIN_MS);
    const ends = left.map(async (member) => {
      void member.channel.tell(TOPICS.stop);
      return statusOf(await member.ended);
    });
    const statuses = await Promise.all(ends);
    clearTimeout(cut);
    await this.database.stop().catch((error: unknown) => this.logger.error(errorFields(error), 'stopping failed'));
    process.exit(status === 0 && statuses.some((each) => each !== 0) ? 1 : status);
  }

  /** One that hangs while the service stops is killed by `cut`. */
  private endHung(member: Member): void {
    if (this.isStopping) return;
    const seconds = (this.beats.everyMs * this.beats.most) / 1_000;
    const fields = { process: member.place, pid: member.pid, seconds };
    this.logger.error(fields, 'a process of the service has not responded in this time: it is killed');
    member.kill();
  }

  private cut(member: Member): void {
    this.logger.error({ process: member.place, pid: member.pid }, 'a process did not end in time: it is killed');
    member.kill();
  }
}
