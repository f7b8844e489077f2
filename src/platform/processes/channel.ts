/** The part of `process`, or of the handle of a child process, that carries messages. */
export interface Endpoint {
  readonly connected: boolean;
  send?(message: object, handle: undefined, options: undefined, callback: (error: Error | null) => void): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

/** A message between two processes of the service. `question` numbers what expects a response, `response` repeats it. */
interface Message {
  gateway: string;
  body?: unknown;
  question?: number;
  response?: number;
  failed?: boolean;
}

type Handler = (body: never) => unknown;

/** Thrown to the callers of `ask` when the other process has ended or could not respond. */
class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
}

/**
 * Messages by topic between the primary process and one of the others, in both directions and in their order. A message to
 * a process that has ended is lost.
 */
export class Channel {
  private readonly handlers = new Map<string, Handler>();
  private readonly open = new Map<number, PromiseWithResolvers<never>>();
  private questions = 0;

  constructor(private readonly endpoint: Endpoint) {
    endpoint.on('message', (message) => {
      if (isMessage(message)) this.take(message);
    });
  }

  /** Registers the one handler of a topic. A response is what it returns, or what its promise resolves to. */
  on(topic: string, handler: Handler): void {
    this.handlers.set(topic, handler);
  }

  /** Sends a message that expects no response. Resolves once it is on its way, or lost. */
  async tell(topic: string, body?: unknown): Promise<void> {
    await this.send({ gateway: topic, body }).catch(() => undefined);
  }

  /** Sends a question. @throws NoResponseError when the other process ends before it responds, or its handler fails. */
  ask<T>(topic: string, body?: unknown): Promise<T> {
    const question = (this.questions += 1);
    const response = Promise.withResolvers<never>();
    this.open.set(question, response);
    this.send({ gateway: topic, body, question }).catch((error: unknown) => this.settle(question, error));
    return response.promise;
  }

  /** Ends all open questions: the other process has ended. */
  end(): void {
    for (const question of this.open.keys()) this.settle(question, new NoResponseError('The process has ended.'));
  }

  private settle(question: number, error: unknown): void {
    this.open.get(question)?.reject(error);
    this.open.delete(question);
  }

  private take({ gateway, body, question, response, failed }: Message): void {
    if (response !== undefined) {
      if (failed === true) this.settle(response, new NoResponseError(`“${gateway}” failed in the other process.`));
      this.open.get(response)?.resolve(body as never);
      this.open.delete(response);
      return;
    }
    const handler = this.handlers.get(gateway);
    if (question === undefined) return void handler?.(body as never);
    void this.respond(gateway, question, async () => handler!(body as never));
  }

  private async respond(gateway: string, response: number, work: () => Promise<unknown>): Promise<void> {
    const message = await work().then(
      (body): Message => ({ gateway, response, body }),
      (): Message => ({ gateway, response, failed: true }),
    );
    await this.send(message).catch(() => undefined);
  }

  private send(message: Message): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.endpoint.connected) return reject(new NoResponseError('The process has ended.'));
      this.endpoint.send!(message, undefined, undefined, (error) => (error === null ? resolve() : reject(error)));
    });
  }
}

function isMessage(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && typeof (message as Message).gateway === 'string';
}
