import { type DocumentNode } from 'graphql';
import { type DocumentFacts } from './document-facts.js';

const MAX_DOCUMENTS = 500;
/** Characters of all texts together. A parsed document takes up to some hundred times its text. */
const MAX_TOTAL_LENGTH = 262_144;
/** Longer texts are not cached: a few of them would evict all others. */
const MAX_TEXT_LENGTH = 16_384;

/** A document that passed every check, with its measurements. */
export interface KnownDocument {
  readonly document: DocumentNode;
  readonly facts: DocumentFacts;
}

/**
 * A cache of documents that passed every check, by text: ten thousand subscribers of one document share it, and it is
 * parsed, measured and validated once. The least recently used entry is evicted; its subscribers still keep it alive.
 */
export class KnownDocuments {
  private readonly documents = new Map<string, KnownDocument>();
  private text = 0;

  get(text: string): KnownDocument | undefined {
    const known = this.documents.get(text);
    if (known === undefined) return undefined;
    this.documents.delete(text);
    this.documents.set(text, known);
    return known;
  }

  has(text: string): boolean {
    return this.documents.has(text);
  }

  /** Call it only for a valid document within the limits. */
  add(text: string, known: KnownDocument): void {
    if (text.length > MAX_TEXT_LENGTH || this.documents.has(text)) return;
    this.documents.set(text, known);
    this.text += text.length;
    for (const oldest of this.documents.keys()) {
      if (this.documents.size <= MAX_DOCUMENTS && this.text <= MAX_TOTAL_LENGTH) return;
      this.documents.delete(oldest);
      this.text -= oldest.length;
    }
  }
}
