/** Texts by key, up to `size` characters together: a new text takes the place of those whose last use is longest ago. */
export class RecentTexts {
  private readonly texts = new Map<string, string>();
  private length = 0;

  /** With a size of 0 nothing is kept. */
  constructor(private readonly size: number) {}

  /** The text of a key; undefined if it is not kept. */
  find(key: string): string | undefined {
    const text = this.texts.get(key);
    if (text !== undefined) this.keep(key, text);
    return text;
  }

  /** Keeps a text as the one used last. One with more than `size` characters is not kept. */
  keep(key: string, text: string): void {
    this.drop(key);
    if (text.length > this.size) return;
    this.texts.set(key, text);
    this.length += text.length;
    for (const first of this.texts.keys()) {
      if (this.length <= this.size) return;
      this.drop(first);
    }
  }

  private drop(key: string): void {
    this.length -= this.texts.get(key)?.length ?? 0;
    this.texts.delete(key);
  }
}
