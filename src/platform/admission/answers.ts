import { type CustomTypesConfig } from 'pg';
import { AppError } from '../errors.js';
import { jsonSize, largestKeys } from '../json/json-size.js';
import { FairShare } from './fair-share.js';
import { noTurn } from './no-turn.js';

/** The most that the answer to one request has, in bytes. */
export const ANSWER_BYTES = 16_777_216;
/** The most that is read for it: rows hold more than is asked for, and what is sealed is longer. */
export const READ_BYTES = 2 * ANSWER_BYTES;
/** What the answers of a process hold together, beyond the beginning of each. */
const ANSWER_SPACE = 67_108_864;
/** What an answer holds before it is counted: most have less. */
const FREE_BYTES = 131_072;
/** JSON that is parsed holds up to twenty times its text; a mean, as most of it is texts. */
const PARSED_WEIGHT = 8;
/** How long a statement waits while its account holds too much, in milliseconds. */
const PATIENCE_MS = 5_000;

/** PostgreSQL's types `json` and `jsonb`. */
const JSON_TYPES = new Set([114, 3802]);

type GetTypeParser = CustomTypesConfig['getTypeParser'];

/** The answers that a process makes, or that wait for their clients to read them. */
export class Answers {
  private readonly space = new FairShare(ANSWER_SPACE);

  /** What all hold now, in bytes. */
  get inUse(): number {
    return this.space.inUse;
  }

  /** An answer to be made for an account, until `end`. */
  begin(accountId: string): Answer {
    return new Answer(this.space, accountId);
  }
}

/**
 * What one answer holds: the bytes that are read for it, then those of its text, until its client has it. None begins to
 * read while the answers of its account hold too much, and none reads much more than one answer may have.
 * What an account holds may so exceed its share by what its connections read at once, which is bounded too.
 */
export class Answer {
  private readBytes = 0;
  private heldForRead = 0;
  private held = 0;
  /** What its text is written of. */
  private admitted: unknown;
  private readonly parts: (() => void)[] = [];
  private making = 0;
  private hasEnded = false;

  constructor(
    private readonly space: FairShare,
    private readonly accountId: string,
  ) {}

  /** Does work on it; what it holds is given back once this has ended too. */
  async make<T>(work: () => Promise<T>): Promise<T> {
    this.making += 1;
    try {
      return await work();
    } finally {
      this.making -= 1;
      this.giveBack();
    }
  }

  /** Its client has it, or has gone. */
  end(): void {
    this.hasEnded = true;
    this.giveBack();
  }

  /** False while its account holds too much to begin another; one that has begun is finished. */
  get hasRoom(): boolean {
    return this.held > 0 || this.space.hasRoom(this.accountId);
  }

  /** Waits until its account may begin another. @throws AppError `rate_limited` after 5 s. */
  async room(): Promise<void> {
    await this.space.room(this.accountId, AbortSignal.timeout(PATIENCE_MS)).catch(() => {
      const message =
        'The account has too many large answers under way or unread. Read them, or ask for less at a time.';
      throw new AppError('rate_limited', message, noTurn('No room for answers in time.'));
    });
  }

  /** The parsers of a statement's values, which count each value before they parse it. */
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

  /** Admits a value before it is written. @throws AppError `answer_too_large`, with what to leave out. */
  admit(value: unknown): void {
    const size = jsonSize(value, ANSWER_BYTES);
    if (size > ANSWER_BYTES) throw answerTooLarge(value);
    this.admitted = value;
    this.hold(size);
  }

  /** The JSON of a value. @throws AppError `answer_too_large`, with what to leave out. */
  write(value: unknown): string {
    this.admit(value);
    const text = JSON.stringify(value);
    this.checkLength(text);
    return text;
  }

  /** Judges the text of an admitted value: where much of it is escaped, it is longer than it seemed. */
  checkLength(text: string): void {
    if (text.length * 3 <= ANSWER_BYTES || Buffer.byteLength(text) <= ANSWER_BYTES) return;
    throw answerTooLarge(this.admitted);
  }

  /** It is written, and holds nothing but the text that its client has not read yet. */
  sent(bytes: number, isUnread: boolean): void {
    this.held = 0;
    this.admitted = undefined;
    const parts = this.parts.splice(0);
    if (isUnread) this.take(bytes);
    for (const part of parts) part();
  }

  private countRead(length: number, weight: number): void {
    this.readBytes += length;
    if (this.readBytes > READ_BYTES) throw answerTooLarge();
    this.heldForRead += length * weight;
    this.hold(this.heldForRead);
  }

  /** In steps, so that an answer of many values takes few parts. */
  private hold(bytes: number): void {
    if (bytes > FREE_BYTES && bytes > this.held) this.take(bytes - this.held + FREE_BYTES);
  }

  private take(bytes: number): void {
    if (this.isFinished) return;
    this.held += bytes;
    this.parts.push(this.space.hold(this.accountId, bytes));
  }

  private get isFinished(): boolean {
    return this.hasEnded && this.making === 0;
  }

  private giveBack(): void {
    if (!this.isFinished) return;
    for (const part of this.parts.splice(0)) part();
  }
}

/** Without a value it is known only that too much was read. */
function answerTooLarge(value?: unknown): AppError {
  const largest = value === undefined ? ['input', 'output', 'config'] : largestKeys(value, ANSWER_BYTES);
  const fields = largest.map((name) => `\`${name}\``).join(', ');
  const less = 'Ask for fewer items at a time (per_page), or leave out large fields';
  return new AppError('answer_too_large', `The answer would have more than 16 MB. ${less}: ${fields}.`);
}
