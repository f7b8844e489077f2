/**
 * JSON as the database gives it, parsed at the moment when it is written into an answer: parsed it may take twenty times
 * the memory, so of many large ones only one is at a time.
 */
export class JsonText {
  constructor(private readonly text: string) {}

  /** In characters. */
  get length(): number {
    return this.text.length;
  }

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** Null for a column that is null. */
export function jsonText(text: string | null): JsonText | null {
  return text === null ? null : new JsonText(text);
}
