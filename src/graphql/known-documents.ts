import { type DocumentNode } from 'graphql';

const MOST_DOCUMENTS = 500;
/** Of all texts together, in characters. A parsed document takes up to some hundred times its text. */
const MOST_TEXT = 262_144;
/** Longer ones are not kept: a few of them would drive out all others. */
const LONGEST_TEXT = 16_384;

/**
 * Documents that passed every check, by their text: ten thousand subscribers of one document hold it once, and it is
 * parsed and validated once. What was used longest ago goes first; who still subscribes with it keeps it.
 */
export class KnownDocuments {
  private readonly documents = new Map<string, DocumentNode>();
  private text = 0;

  get(text: string): DocumentNode | undefined {
    const document = this.documents.get(text);
    if (document === undefined) return undefined;
    this.documents.delete(text);
    this.documents.set(text, document);
    return document;
  }

  /** Only for a document that is valid and within the limits. */
  add(text: string, document: DocumentNode): void {
    if (text.length > LONGEST_TEXT || this.documents.has(text)) return;
    this.documents.set(text, document);
    this.text += text.length;
    for (const oldest of this.documents.keys()) {
      if (this.documents.size <= MOST_DOCUMENTS && this.text <= MOST_TEXT) return;
      this.documents.delete(oldest);
      this.text -= oldest.length;
    }
  }
}
