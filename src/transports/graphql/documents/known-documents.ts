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

/**
 * What was found out about texts of clients. Ten thousand subscribers of one document share it, and it is parsed,
 * measured and validated once. The least recently used entry is evicted; its subscribers still keep it alive.
 */
export class KnownTexts<T> {
  private readonly entries = new Map<string, { value: T; length: number }>();
  private length = 0;

  constructor(private readonly room: Room) {}

  get(text: string): T | undefined {
    const known = this.entries.get(text);
    if (known === undefined) return undefined;
    this.entries.delete(text);
    this.entries.set(text, known);
    return known.value;
  }

  has(text: string): boolean {
    return this.entries.has(text);
  }

  /** `length`: the characters that the entry keeps in memory. */
  add(text: string, value: T, length = text.length): void {
    if (length > MAX_TEXT_LENGTH || this.entries.has(text)) return;
    this.entries.set(text, { value, length });
    this.length += length;
    for (const [oldest, { length: freed }] of this.entries) {
      if (this.entries.size <= this.room.count && this.length <= this.room.length) return;
      this.entries.delete(oldest);
      this.length -= freed;
    }
  }
}
