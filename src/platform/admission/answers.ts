import { type CustomTypesConfig } from 'pg';
import { jsonSize } from '../json/json-size.js';
import { ANSWER_BYTES, answerTooLarge } from './responses/answer-too-large.js';
import { LargePlace } from './responses/large-place.js';
import { LongText, type Turn } from './responses/long-text.js';
import { FairShare } from './fair-share.js';
import { noRoom, PATIENCE_MS } from './no-turn.js';

/** The maximum bytes read for one response: rows hold more than the selected fields, and sealed values are longer. */
export const READ_BYTES = 2 * ANSWER_BYTES;
/** A response that is longer, or for which more was read, is written in a turn of its account: each MB takes 10 ms. */
export const LONG_ANSWER_BYTES = 1_048_576;
/**
 * The memory shared by all responses of a process, in bytes, beyond the first part of each; and as much for the texts of
 * long ones: few rows can make a long text.
 */
export const ANSWER_SPACE = 67_108_864;
/** What each account may hold of it in any case: other accounts may hold more than the whole for a moment. */
const FLOOR_BYTES = 1_048_576;
/** The responses of a process for which more than `LONG_ANSWER_BYTES` is read at the same time. */
export const LARGE_ANSWERS = 6;
/** Responses up to this size are not counted, in bytes: most are smaller. */
const FREE_BYTES = 131_072;
/** Parsed JSON takes up to twenty times the memory of its text; this is a mean, since most values are strings. */
const PARSED_WEIGHT = 8;
/** The memory of parsed JSON, as a multiple of its text, where it may be many small objects. */
const PARSED_MEMORY = 20;
/** A signal that never aborts: what waits with it has no limit of time. */
export const NEVER: AbortSignal = new AbortController().signal;

/** PostgreSQL's types `json` and `jsonb`. */
const JSON_TYPES = new Set([114, 3802]);

type GetTypeParser = CustomTypesConfig['getTypeParser'];

/** What the responses of all accounts share. */
const newShares = () => ({
  /** Memory of what is read, and of the texts. */
  space: new FairShare(ANSWER_SPACE, FLOOR_BYTES),
  /** Memory of results that are being built. */
  results: new FairShare(ANSWER_SPACE, FLOOR_BYTES),
  texts: new FairShare(ANSWER_SPACE),
  large: new FairShare(LARGE_ANSWERS),
});

/** All responses of a process that are being built or not yet read by their clients. */
export class Answers {
  private readonly shares = newShares();

  /** The bytes of the long texts that are being written or not yet read. */
  get textsInUse(): number {
    return this.shares.texts.inUse;
  }

  /** The memory held by all responses now, in bytes. */
  get inUse(): number {
    return this.shares.space.inUse + this.shares.results.inUse;
  }

  /** Starts to count a response for an account, until `end`. */
  begin(accountId: string): Answer {
    return new Answer(this.shares, accountId);
  }
}

/**
 * Counts the memory of one response: first the bytes read from the database, then the bytes of its text until the
 * client has received it. No response starts to read while its account holds too much memory, few read much at once, and
 * none reads much more than `READ_BYTES`. An account can exceed its share only by what these and its connections read.
 */
export class Answer {
  private readBytes = 0;
  private hasEffect = false;
  /** Bytes that were counted before they are read. */
  private expected = 0;
  private maxRead = READ_BYTES;
  private heldForRead = 0;
  private held = 0;
  /** The value that the text is written from. */
  admitted: unknown;
  private readonly parts: (() => void)[] = [];
  private readonly large: LargePlace;
  /** Its text, if that is long. */
  readonly text: LongText;
  private making = 0;
  private hasEnded = false;
  /** Of a text that is kept, and therefore written in one piece. */
  private limitOfKept: (() => number) | undefined;

  constructor(
    private readonly shares: ReturnType<typeof newShares>,
    private readonly accountId: string,
  ) {
    this.large = new LargePlace(shares.large, accountId, (leave) => this.keep(leave));
    this.text = new LongText(shares.texts, accountId);
  }

  /**
   * The text of the response is kept. Sets a lower limit than `ANSWER_BYTES`; a request whose response exceeds it has no
   * effect.
   */
  keepWithin(limit: () => number): void {
    this.limitOfKept = limit;
  }

  /** Whether a response that is too large undoes its request. */
  get isBounded(): boolean {
    return this.limit < ANSWER_BYTES;
  }

  private get limit(): number {
    return this.limitOfKept?.() ?? ANSWER_BYTES;
  }

  /** The request has an effect: once it has started, its response is not refused for what others read. */
  mustFinish(): void {
    this.hasEffect = true;
  }

  /**
   * A stored response is read: sealed, it is longer than its text. Earlier versions stored up to 16 MB, as JSON in JSON.
   */
  readsStored(): void {
    this.maxRead = 2 * READ_BYTES;
  }

  /**
   * The JSON of a value whose text would block the event loop, in pieces; undefined if it may be written at once. Waits
   * for turns of the account. If the request `canFail` although its work is done, it also waits for the clients of the
   * account's earlier long texts. @throws AppError `rate_limited` after 5 s; `answer_too_large`.
   */
  async writeLong(value: unknown, turn: Turn, canFail: boolean): Promise<readonly Buffer[] | undefined> {
    if (this.readBytes <= LONG_ANSWER_BYTES && jsonSize(value, LONG_ANSWER_BYTES) <= LONG_ANSWER_BYTES)
      return undefined;
    await turn();
    if (await this.text.take(Math.min(jsonSize(value, ANSWER_BYTES), ANSWER_BYTES), canFail)) await turn();
    this.giveBack();
    if (this.limitOfKept !== undefined) return undefined;
    this.admit(value);
    return this.text.write(value, turn);
  }

  /** Runs work that builds the response; its memory is released once this work and the response have ended. */
  async make<T>(work: () => Promise<T>): Promise<T> {
    this.making += 1;
    try {
      return await work();
    } finally {
      this.making -= 1;
      this.giveBack();
    }
  }

  /** The client has received the response or has disconnected. */
  end(): void {
    this.hasEnded = true;
    this.large.end();
    this.text.end();
    this.giveBack();
  }

  /**
   * False while the account holds too much memory to start another response, or long texts of it wait for their clients,
   * or too many started ones go on to read much.
   */
  get hasRoom(): boolean {
    if (this.isFinished) return true;
    if (this.held > 0) return this.hasEffect || this.large.isHeld || this.readBytes <= LONG_ANSWER_BYTES;
    const { space, texts } = this.shares;
    return space.hasRoom(this.accountId) && texts.hasRoom(this.accountId) && !texts.waiters.has(this.accountId);
  }

  /**
   * Takes memory for a result before it is built; it waits until the account has room. @throws AppError `rate_limited`
   * when the signal aborts first: after 5 s.
   */
  async reserve(bytes: number, signal = AbortSignal.timeout(PATIENCE_MS)): Promise<void> {
    this.parts.push(await this.shares.results.take(this.accountId, bytes, signal).catch(noRoom));
  }

  /** Waits until the response may be started, or may read much. @throws AppError `rate_limited` after 5 s. */
  async room(signal = AbortSignal.timeout(PATIENCE_MS)): Promise<void> {
    if (this.held > 0) return this.large.take(signal);
    await this.shares.space.room(this.accountId, signal).catch(noRoom);
    // In the queue of the account's long texts.
    if (!this.hasRoom) (await this.shares.texts.take(this.accountId, 0, signal).catch(noRoom))();
  }

  /**
   * Counts texts before they are read, in the place of a large response. A request that holds a connection must not wait.
   * @throws AppError `answer_too_large`; `rate_limited` without a place, unless the request has had an effect.
   */
  async expect(bytes: number, canWait: boolean): Promise<void> {
    const sum = this.readBytes + bytes;
    if (sum > this.maxRead) throw answerTooLarge();
    if (sum > LONG_ANSWER_BYTES) await this.large.demand({ canWait, canFail: !this.hasEffect || this.isBounded });
    this.countRead(bytes, 1);
    this.expected += bytes;
  }

  /**
   * Counts a text that did not come from the database, before it is used; it waits until the account has room. @throws
   * AppError `rate_limited` when the signal aborts first.
   */
  async receive(bytes: number, kind: 'json' | 'text', signal: AbortSignal): Promise<void> {
    if (bytes > FREE_BYTES / PARSED_WEIGHT && !this.hasRoom) await this.room(signal);
    this.countRead(bytes, kind === 'json' ? PARSED_WEIGHT : 2);
  }

  /** Counts the memory of a JSON text that is parsed for the response, until the returned function is called. */
  holdParsed(length: number): () => void {
    return this.shares.space.hold(this.accountId, length * PARSED_MEMORY);
  }

  /** The type parsers for a statement: each value is counted before it is parsed. */
  counting(getTypeParser: GetTypeParser): CustomTypesConfig {
    const counted = (oid: number, format?: 'text' | 'binary') => {
      const parse = (getTypeParser as (oid: number, format?: string) => (value: string) => unknown)(oid, format);
      const weight = JSON_TYPES.has(oid) ? PARSED_WEIGHT : 1;
      return (value: string) => {
        this.countRead(value.length, weight);
        return parse(value);
      };
    };
    return { getTypeParser: counted as GetTypeParser };
  }

  /**
   * Checks and counts a value before it is serialized. @throws AppError `answer_too_large`, with the fields to leave
   * out.
   */
  admit(value: unknown): void {
    const { limit } = this;
    const size = jsonSize(value, limit);
    if (size > limit) throw answerTooLarge(value, limit);
    this.admitted = value;
    this.hold(size);
  }

  /** Serializes a value as JSON. @throws AppError `answer_too_large`, with the fields to leave out. */
  write(value: unknown): string {
    this.admit(value);
    const text = JSON.stringify(value);
    this.checkLength(text);
    return text;
  }

  /** Checks the length of the text of an admitted value: escaping can make it longer than estimated. */
  checkLength(text: string): void {
    if (text.length * 3 <= ANSWER_BYTES || Buffer.byteLength(text) <= ANSWER_BYTES) return;
    throw answerTooLarge(this.admitted);
  }

  /** The response is serialized: from now on it holds only the text that the client has not yet read. */
  sent(bytes: number, isUnread: boolean): void {
    this.held = 0;
    this.admitted = undefined;
    const parts = this.parts.splice(0);
    if (isUnread) this.take(bytes);
    else this.text.giveBack();
    for (const part of parts) part();
  }

  private countRead(length: number, weight: number): void {
    const known = Math.min(this.expected, length);
    this.expected -= known;
    this.readBytes += length - known;
    if (this.readBytes > this.maxRead) throw answerTooLarge();
    this.heldForRead += length * weight - known;
    this.hold(this.heldForRead);
  }

  /** Takes memory in steps, so that a response of many values makes few entries. */
  private hold(bytes: number): void {
    if (bytes > FREE_BYTES && bytes > this.held) this.take(bytes - this.held + FREE_BYTES);
  }

  private take(bytes: number): void {
    if (this.isFinished) return;
    this.held += bytes;
    this.keep(this.shares.space.hold(this.accountId, bytes));
  }

  private keep(leave: () => void): void {
    this.parts.push(leave);
    this.giveBack();
  }

  private get isFinished(): boolean {
    return this.hasEnded && this.making === 0;
  }

  private giveBack(): void {
    if (!this.isFinished) return;
    for (const part of this.parts.splice(0)) part();
    this.text.giveBack();
  }
}
