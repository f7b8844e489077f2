/**
 * JSON text from the database, parsed only when the response is serialized. Parsed JSON may take twenty times the
 * memory, so of many large values only one is parsed at a time.
 */
export class JsonText {
  constructor(private readonly text: string) {}

  /** The length in characters. */
  get length(): number {
    return this.text.length;
  }

  /** The length in bytes. */
  get bytes(): number {
    return Buffer.byteLength(this.text);
  }

  /** Whether the text has a part. One with characters that JSON escapes is not found. */
  includes(part: string): boolean {
    return this.text.includes(part);
  }

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** The text of a field that is never null: a large event cannot leave it out. */
export class NeededJson extends JsonText {}

/** Wraps the text of a column; null stays null. */
export function jsonText(text: string | null): JsonText | null {
  return text === null ? null : new JsonText(text);
}
