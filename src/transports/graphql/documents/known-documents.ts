import { type DocumentNode } from 'graphql';
import { type DocumentFacts } from './document-facts.js';

const MAX_DOCUMENTS = 500;
/** Of all texts together, in characters. A parsed document takes up to some hundred times its text. */
const MAX_TOTAL_LENGTH = 262_144;
/** Longer ones are not kept: a few of them would drive out all others. */
const MAX_TEXT_LENGTH = 16_384;

/** A document that passed every check, with what was measured of it. */
export interface KnownDocument {
  readonly document: DocumentNode;
  readonly facts: DocumentFacts;
}

/**
 * Documents that passed every check, by their text: ten thousand subscribers of one document hold it once, and it is
 * parsed, measured and validated once. What was used longest ago goes first; who still subscribes with it keeps it.
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

  /** Only for a document that is valid and within the limits. */
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
