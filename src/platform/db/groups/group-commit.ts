import { AsyncLocalStorage } from 'node:async_hooks';
import { restAsLong } from '../../admission/company.js';
import { FairQueue } from '../../admission/fair-queue.js';
import { FairShare } from '../../admission/fair-share.js';
import { isDatabaseAway } from '../../errors.js';
import { partition } from '../../partition.js';
import { currentSpan, inSpan } from '../../tracing/span.js';
import { isRowBusy } from '../sql-state.js';
import { type Entry, notConfirmed, Refused, rowIsLocked, settle, tooMuchWaits } from './group-entry.js';
import { type GroupCommitOptions, Postponed } from './group-options.js';
import { type LaneKind, LaneKinds } from './lane-kinds.js';

/**
 * How long a write may wait for a locked row, in milliseconds: all its members wait. On a slow disk it is a multiple of
 * what a write usually takes, because each waits for the commit of the one before. A locked lane may wait as any statement.
 */
const LOCK_MS = 250;
const LONGEST_LOCK_MS = 2_000;
const USUAL_WRITES = 4;
/** The part of the last write in what is usual. */
const NEWEST = 0.1;

/** A member that has waited this long for an unavailable database is not retried; in milliseconds. */
const HOPE_MS = 1_000;
/** How often members are looked for whose patience ends, in milliseconds: they are refused that much early at most. */
const LOOK_MS = 50;

/**
 * Writes members that arrive at the same time in one transaction: a commit costs the disk the same for one member as
 * for hundreds. No member waits for others: those that arrived while the writers were busy go next, and accounts take
 * turns. A group is written in the context of none of its members: not inside their units of work, nor in their name. Its
 * statements are in the trace of the first.
 */
export class GroupCommit<M, R> {
  private readonly queue = new FairQueue<Entry<M, R>>();
  private readonly places: FairShare;
  private readonly bytes: FairShare;
  private busyLanes = 0;
  private isLockedBusy = false;
  /** What a write usually takes, and what the last one took, in milliseconds. */
  private usual = 0;
  private last = 0;
  /** The kinds of lanes whose one writer is busy or rests. */
  private readonly taken = new Set<LaneKind>();
  private readonly kinds: LaneKinds;
  private scheduled = false;
  private closed = false;
  private onIdle: (() => void) | undefined;
  /** Runs a function in the asynchronous context of the service itself. */
  private readonly apart = AsyncLocalStorage.snapshot();
  /** Entries without a result, in the order of their arrival; only with `patience`. */
  private readonly open = new Set<Entry<M, R>>();
  private looking: NodeJS.Timeout | undefined;

  constructor(private readonly options: GroupCommitOptions<M, R>) {
    this.places = new FairShare(options.waiting.count);
    this.bytes = new FairShare(options.waiting.bytes);
    this.kinds = new LaneKinds(options.group.bytes);
  }

  /** Resolves after the commit. @throws AppError `unavailable` when too much waits already, or after `close`. */
  add(member: M): Promise<R> {
    const lane = this.options.laneOf(member);
    const size = this.options.sizeOf(member);
    const leave = this.closed ? undefined : this.enter(lane, size);
    if (leave === undefined) throw tooMuchWaits();
    return new Promise((resolve, reject) => {
      const since = performance.now();
      const entry = this.watched({ member, since, span: currentSpan(), leave, resolve, reject });
      this.kinds.note(lane);
      this.queue.add(lane, entry, size);
      this.schedule();
    });
  }

  /** Refuses the entry if it has no result when its patience ends. */
  private watched(entry: Entry<M, R>): Entry<M, R> {
    const { patience } = this.options;
    if (patience === undefined) return entry;
    const { resolve, reject } = entry;
    const end = () => {
      this.open.delete(entry);
      entry.isSettled = true;
    };
    entry.resolve = (result) => (end(), resolve(result));
    entry.reject = (error) => (end(), reject(error));
    this.open.add(entry);
    this.looking ??= setInterval(() => this.refuseTired(patience - LOOK_MS), LOOK_MS).unref();
    return entry;
  }

  /** Refuses what has waited this long, in the queue or for a write that is under way. */
  private refuseTired(milliseconds: number): void {
    const [oldest] = this.open;
    if (oldest === undefined) {
      clearInterval(this.looking);
      this.looking = undefined;
    } else if (oldest.since <= performance.now() - milliseconds) {
      for (const { reject } of this.takeOlderThan(milliseconds)) reject(tooMuchWaits());
      const { writing } = this.options;
      const late = performance.now() - milliseconds - (writing ?? 0);
      for (const { since, reject, isCommitting } of this.open) {
        if (since <= late) reject(writing === undefined || isCommitting ? notConfirmed() : tooMuchWaits());
      }
      if (this.isIdle) this.onIdle?.();
    }
  }

  /** Returns an entry to the queue, which accepted it before. */
  private addAgain(entry: Entry<M, R>): void {
    if (entry.isSettled) return;
    const lane = this.options.laneOf(entry.member);
    const size = this.options.sizeOf(entry.member);
    const leave = this.enter(lane, size);
    if (leave === undefined) return entry.reject(tooMuchWaits());
    entry.leave = leave;
    this.queue.add(lane, entry, size);
  }

  private enter(lane: string, size: number): (() => void) | undefined {
    const leavePlace = this.places.tryTake(lane, 1);
    const leaveBytes = leavePlace && this.bytes.tryTake(lane, size);
    if (leaveBytes === undefined) {
      leavePlace?.();
      return undefined;
    }
    return () => {
      leavePlace!();
      leaveBytes();
    };
  }

  /** Accepts no more members and waits until all accepted ones are settled. */
  async close(): Promise<void> {
    this.closed = true;
    if (this.isIdle) return;
    await new Promise<void>((resolve) => (this.onIdle = resolve));
  }

  private get isIdle(): boolean {
    return this.queue.length === 0 && this.busyLanes === 0;
  }

  /** On the next turn of the event loop, so that requests of this turn go together. */
  private schedule(): void {
    if (this.scheduled || (this.busyLanes >= this.options.lanes && !this.kinds.hasLocked)) return;
    this.scheduled = true;
    this.apart(setImmediate, () => {
      this.scheduled = false;
      for (let kind = this.nextKind(); kind !== undefined; kind = this.nextKind()) void this.lane(kind);
    });
  }

  /** The kind of the first lane that has a writer now; undefined if none has. */
  private nextKind(): LaneKind | undefined {
    const next = this.queue.next((lane) => this.hasWriter(this.kindOf(lane)));
    return next === undefined ? undefined : this.kindOf(next);
  }

  private kindOf(lane: string): LaneKind {
    const kind = this.kinds.kindOf(lane, this.bytes.heldBy(lane));
    return kind === 'fast' && this.options.isSlow?.(lane) === true ? 'slow' : kind;
  }

  /** Locked lanes have a writer beside the others, which it must not keep from writing. */
  private hasWriter(kind: LaneKind): boolean {
    if (this.taken.has(kind)) return false;
    return this.busyLanes - Number(this.isLockedBusy) < this.options.lanes || kind === 'locked';
  }

  private async lane(kind: LaneKind): Promise<void> {
    const began = performance.now();
    const group = this.takeGroup(kind);
    // A lane may have changed its kind since.
    if (group.length === 0) return;
    this.busyLanes += 1;
    if (kind === 'locked') this.isLockedBusy = true;
    if (kind !== 'fast') this.taken.add(kind);
    if (!(await this.writeGroup(group, kind))) await this.avoidLocked(this.withoutTired(group, rowIsLocked()), kind);
    this.busyLanes -= 1;
    if (kind === 'locked') this.isLockedBusy = false;
    if (kind !== 'fast') void this.rest(kind, began);
    if (this.queue.length > 0) this.schedule();
    else if (this.isIdle) this.onIdle?.();
  }

  /** Slow and locked lanes leave the others half of the time. */
  private async rest(kind: LaneKind, began: number): Promise<void> {
    if (this.kinds.isMixed && !this.closed) await restAsLong(began);
    this.taken.delete(kind);
    if (this.queue.length > 0) this.schedule();
    else if (this.isIdle) this.onIdle?.();
  }

  /** The next members of all fast lanes, or of the first lane of another kind. */
  private takeGroup(kind: LaneKind): Entry<M, R>[] {
    const first = this.queue.next((lane) => this.kindOf(lane) === kind);
    const from = (lane: string): boolean => (kind === 'fast' ? this.kindOf(lane) === 'fast' : lane === first);
    const group = this.queue.take(this.options.group, from);
    for (const { leave } of group) leave();
    return group;
  }

  /** Writes a group, or parts of it. @returns false if a locked row kept it from being written, for `avoidLocked`. */
  private async writeGroup(group: Entry<M, R>[], kind: LaneKind): Promise<boolean> {
    const began = performance.now();
    try {
      const members = group.map(({ member }) => member);
      const mayCommit = () => commitOrThrow(group);
      const results = await inSpan(group[0]!.span, () => this.options.write(members, this.lockMsOf(kind), mayCommit));
      if (kind !== 'locked') this.noteWrite(performance.now() - began);
      group.forEach((entry, index) => {
        const result = results[index]!;
        if (result instanceof Postponed) this.addAgain(entry);
        else settle(entry, result);
      });
    } catch (error) {
      for (const entry of group) entry.isCommitting = false;
      if (error instanceof Refused) {
        const rest = group.filter(({ isSettled }) => isSettled !== true);
        return rest.length === 0 || this.writeGroup(rest, kind);
      }
      const isBusy = isRowBusy(error);
      if (isBusy && kind !== 'locked') return false;
      // An unavailable database would refuse each of them too, only more slowly.
      const isAway = isDatabaseAway(error) && !isBusy;
      if (isAway) group.push(...this.takeOlderThan(HOPE_MS));
      if (isAway || group.length === 1) group.forEach(({ reject }) => reject(error));
      else await this.writeHalves(this.withoutTired(group, error), kind);
    }
    return true;
  }

  private lockMsOf(kind: LaneKind): number | undefined {
    if (kind === 'locked') return undefined;
    return Math.round(Math.min(LONGEST_LOCK_MS, Math.max(LOCK_MS, USUAL_WRITES * this.usual)));
  }

  /** The shorter of two writes in a row counts: one that waited for a lock takes longer than usual. */
  private noteWrite(took: number): void {
    this.usual += NEWEST * (Math.min(took, this.last) - this.usual);
    this.last = took;
  }

  /** Refuses the entries whose patience is over. @returns the others. */
  private withoutTired(group: Entry<M, R>[], error: unknown): Entry<M, R>[] {
    const late = performance.now() - (this.options.patience ?? Infinity);
    const [tired, rest] = partition(group, ({ since }) => since <= late);
    for (const { reject } of tired) reject(error);
    return rest;
  }

  /**
   * Finds the lane that has a locked row, by halves. Its members return to the queue, and so do all if both halves wait:
   * then a table is locked for a moment, or more than one lane. The halves are random, so that two such lanes are in the same
   * one soon.
   */
  private async avoidLocked(group: Entry<M, R>[], kind: LaneKind): Promise<void> {
    const lanes = [...Map.groupBy(group, ({ member }) => this.options.laneOf(member))];
    if (lanes.length <= 1) {
      for (const [lane] of lanes) this.kinds.lock(lane);
      for (const entry of group) this.addAgain(entry);
      return;
    }
    const mixed = lanes.map((lane) => ({ lane, at: Math.random() })).sort((a, b) => a.at - b.at);
    const half = Math.ceil(mixed.length / 2);
    const halves = [mixed.slice(0, half), mixed.slice(half)].map((part) => part.flatMap(({ lane }) => lane[1]));
    const areWritten = await Promise.all(halves.map((each) => this.writeGroup(each, kind)));
    const waiting = halves.filter((_, index) => !areWritten[index]);
    if (waiting.length === 1) await this.avoidLocked(waiting[0]!, kind);
    else for (const entry of waiting.flat()) this.addAgain(entry);
  }

  /** Removes and returns the entries that have waited this long. */
  private takeOlderThan(milliseconds: number): Entry<M, R>[] {
    const late = performance.now() - milliseconds;
    const taken = this.queue.takeWhere(({ since }) => since <= late);
    for (const { leave } of taken) leave();
    return taken;
  }

  /**
   * Retries the halves of a failed group, so that few writes find the failing member and store the others. Members that
   * lock the same row stay together: if one waits for it in vain, all do.
   */
  private async writeHalves(group: Entry<M, R>[], kind: LaneKind): Promise<void> {
    const rows = [...Map.groupBy(group, ({ member }) => this.options.rowOf(member)).values()];
    const parts = rows.length > 1 ? rows : group.map((entry) => [entry]);
    const half = Math.ceil(parts.length / 2);
    const halves = [parts.slice(0, half).flat(), parts.slice(half).flat()].filter(({ length }) => length > 0);
    const areWritten = await Promise.all(halves.map((each) => this.writeGroup(each, kind)));
    for (const entry of halves.filter((_, index) => !areWritten[index]).flat()) this.addAgain(entry);
  }
}

/** @throws Refused if an entry has been refused, so that nothing is stored of it. */
function commitOrThrow<M, R>(group: readonly Entry<M, R>[]): void {
  if (group.some(({ isSettled }) => isSettled)) throw new Refused();
  for (const entry of group) entry.isCommitting = true;
}
