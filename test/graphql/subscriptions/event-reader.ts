/** An event stream, read event by event; comments are counted. */
export class EventReader {
  comments = 0;
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  private readonly decoder = new TextDecoder();
  private text = '';

  constructor(response: Response) {
    this.reader = response.body!.getReader();
  }

  /** The next event, or undefined when the stream has ended. */
  async next(): Promise<{ event: string; data: any } | undefined> {
    for (;;) {
      const block = await this.block();
      if (block === undefined) return undefined;
      if (block.startsWith(':')) {
        this.comments += 1;
        continue;
      }
      const [, event, data] = /^event: (\w+)\ndata: ?(.*)$/s.exec(block) ?? [];
      return { event: event!, data: data === '' ? undefined : JSON.parse(data!) };
    }
  }

  /** Reads on until a comment comes. */
  async comment(): Promise<void> {
    const before = this.comments;
    while (this.comments === before) {
      if ((await this.block())?.startsWith(':')) this.comments += 1;
    }
  }

  async cancel(): Promise<void> {
    await this.reader.cancel();
  }

  private async block(): Promise<string | undefined> {
    while (!this.text.includes('\n\n')) {
      const { value, done } = await this.reader.read();
      if (done) return undefined;
      this.text += this.decoder.decode(value, { stream: true });
    }
    const end = this.text.indexOf('\n\n');
    const block = this.text.slice(0, end);
    this.text = this.text.slice(end + 2);
    return block;
  }
}
