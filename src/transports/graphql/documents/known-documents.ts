import { type DocumentNode } from 'graphql';
import { type DocumentFacts } from './document-facts.js';

/** How many texts are known at a time, and their characters together. */
interface Room {
  readonly count: number;
  readonly length: number;
}

/** For documents that passed every check. A parsed document takes up to some hundred times its text. */
export const DOCUMENTS: Room = { count: 500, length: 262_144 };
/** For the faults of others, of which a client repeats few. */
export const FAULTS: Room = { count: 100, length: 65_536 };
/** Longer texts are not cached: a few of them would evict all others. */
const MAX_TEXT_LENGTH = 16_384;

/** A document that passed every check, with its measurements. */
export interface KnownDocument {
  readonly document: DocumentNode;
  readonly facts: DocumentFacts;
}

/** What is known of a text. */
interface Entry<T> {
  readonly value: T;
  readonly length: number;
  /** It takes room of this account. */
  owner: string;
  /** The other account that used it last. */
  sharer?: string;
}

/** An account whose texts take no more than this part of the room counts as small. */
const SMALL = 1 / 64;

/**
 * What was found out about texts of clients. Ten thousand subscribers of one document share it, and it is parsed,
 * measured and validated once. The account whose texts take the most room loses the one whose last use is longest ago, so
 * that no account displaces the texts of others. While all accounts are small, the one of all is lost: what many of them
 * use stays. The subscribers of a lost document keep it alive.
 */
export class KnownTexts<T> {
  /** Those whose last use is longest ago come first. */
  private readonly entries = new Map<string, Entry<T>>();
  /** The room that the texts of each account take, in characters. */
  private readonly held = new Map<string, number>();
  private length = 0;

  constructor(private readonly room: Room) {}

  get(accountId: string, text: string): T | undefined {
    const known = this.entries.get(text);
    if (known === undefined) return undefined;
    this.entries.delete(text);
    this.entries.set(text, known);
    if (accountId !== known.owner) known.sharer = accountId;
    return known.value;
  }

  has(text: string): boolean {
    return this.entries.has(text);
  }

  /** `length`: the characters that the entry keeps in memory. */
  add(accountId: string, text: string, value: T, length = text.length): void {
    if (length > MAX_TEXT_LENGTH || this.entries.has(text)) return;
    const entry = { value, length, owner: accountId };
    this.entries.set(text, entry);
    this.length += length;
    this.count(accountId, this.shareOf(entry));
    while (this.entries.size > this.room.count || this.length > this.room.length) this.evict();
  }

  private evict(): void {
    const largest = this.largest();
    for (const [text, entry] of this.entries) {
      if (largest !== undefined && entry.owner !== largest) continue;
      if (this.handOver(entry)) return;
      this.entries.delete(text);
      this.length -= entry.length;
      return this.count(entry.owner, -this.shareOf(entry));
    }
  }

  /** The account whose texts take the most room; undefined while all accounts are small. */
  private largest(): string | undefined {
    let largest: string | undefined;
    let most = this.room.length * SMALL;
    for (const [accountId, held] of this.held) if (held > most) [largest, most] = [accountId, held];
    return largest;
  }

  /** A text that a smaller account uses too is not lost with those of its owner. @returns false where there is none. */
  private handOver(entry: Entry<T>): boolean {
    const { owner, sharer } = entry;
    const share = this.shareOf(entry);
    if (sharer === undefined || this.heldBy(sharer) + share >= this.heldBy(owner)) return false;
    this.count(owner, -share);
    this.count(sharer, share);
    Object.assign(entry, { owner: sharer, sharer: undefined });
    return true;
  }

  /** The room that a text takes. A short one counts as long as one of the most that fit. */
  private shareOf({ length }: Entry<T>): number {
    return Math.max(length, Math.ceil(this.room.length / this.room.count));
  }

  private heldBy(accountId: string): number {
    return this.held.get(accountId) ?? 0;
  }

  private count(accountId: string, characters: number): void {
    const left = this.heldBy(accountId) + characters;
    if (left === 0) this.held.delete(accountId);
    else this.held.set(accountId, left);
  }
}
