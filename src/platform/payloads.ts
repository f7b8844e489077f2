import { type StoredBytes } from './admission/daily/stored-bytes.js';
import { type RecentTexts } from './caches/recent-texts.js';
import { type Transaction } from './db/database.js';
import { newUuid, timeOf } from './ids/ids.js';

/**
 * JSON texts up to this size are stored in their row: PostgreSQL moves no smaller value out of a row, so a row of
 * `payloads` would save nothing.
 */
export const INLINE_BYTES = 2_048;

/** The maximum size of a stored text: the limit of an inbound hook. */
export const MAX_PAYLOAD_BYTES = 1_048_576;

/**
 * A retry shares the payloads of its input and outputs up to this age and copies older ones, and so does a repeated
 * delivery. Otherwise repetitions would keep an old week of payloads from being dropped.
 */
export const SHARED_MS = 7 * 86_400_000;

/** Whether a payload is young enough to be shared. */
export function isShared(payloadUuid: string, now: Date): boolean {
  return timeOf(payloadUuid).getTime() > now.getTime() - SHARED_MS;
}

/** Copies a payload. @returns the uuid of the copy; undefined if the payload is not stored any more. */
export async function copyPayload(tx: Transaction, now: Date, payloadUuid: string): Promise<string | undefined> {
  const [copy] = await tx.query<{ uuid: string }>(
    `INSERT INTO payloads (id, account_id, body) SELECT $2, account_id, body FROM payloads WHERE id = $1
     RETURNING id AS uuid`,
    [payloadUuid, newUuid(now)],
  );
  return copy?.uuid;
}

/** The storage of a JSON text: in the row itself, or in a payload that any number of rows refer to. */
export interface StoredText {
  /** Null when a payload holds the text. */
  inline: string | null;
  payloadUuid: string | null;
  bytes: number;
}

interface PayloadRow {
  uuid: string;
  accountId: string;
  body: string;
}

/**
 * The JSON texts that one transaction stores. A large text becomes one payload per account. All are counted after the
 * commit: a payload once, a text in a row for each row.
 */
export class NewPayloads {
  private readonly known = new Map<string, Map<string, StoredText>>();
  private rows: PayloadRow[] = [];
  private bytes = new Map<string, number>();

  constructor(
    private readonly now: Date,
    private readonly stored: Pick<StoredBytes, 'add'>,
    /** Gets each payload that is stored, by its uuid. */
    private readonly recent?: RecentTexts,
  ) {}

  /**
   * Decides where a text is stored, unless that is decided. `store` must run before the rows that refer to it can be
   * read.
   */
  keep(accountId: string, text: string | StoredText): StoredText {
    if (typeof text !== 'string') {
      if (text.inline !== null) this.count(accountId, text.bytes);
      return text;
    }
    // A text has at least as many bytes as UTF-16 units.
    if (text.length <= INLINE_BYTES) {
      const bytes = Buffer.byteLength(text);
      if (bytes <= INLINE_BYTES) {
        this.count(accountId, bytes);
        return { inline: text, payloadUuid: null, bytes };
      }
    }
    const ofAccount = this.known.get(accountId) ?? new Map<string, StoredText>();
    this.known.set(accountId, ofAccount);
    let stored = ofAccount.get(text);
    if (stored === undefined) {
      const uuid = newUuid(this.now);
      this.rows.push({ uuid, accountId, body: text });
      stored = { inline: null, payloadUuid: uuid, bytes: Buffer.byteLength(text) };
      ofAccount.set(text, stored);
      this.count(accountId, stored.bytes);
    }
    return stored;
  }

  /** Counts bytes of the rows that refer to the texts. */
  count(accountId: string, bytes: number): void {
    this.bytes.set(accountId, (this.bytes.get(accountId) ?? 0) + bytes);
  }

  /** Writes the payloads added since the last call, by one statement. */
  async store(tx: Transaction): Promise<void> {
    const { rows, bytes } = this;
    this.bytes = new Map();
    if (bytes.size > 0) tx.afterCommit(() => bytes.forEach((sum, accountId) => this.stored.add(accountId, sum)));
    if (rows.length === 0) return;
    this.rows = [];
    for (const { uuid, body } of rows) this.recent?.keep(uuid, body);
    await tx.query(...insertOf(rows));
  }
}

/** Most transactions store one payload. A text in an array is copied several times to escape it. */
function insertOf(rows: readonly PayloadRow[]): [string, unknown[]] {
  const insert = 'INSERT INTO payloads (id, account_id, body)';
  const [first, second] = rows;
  if (second === undefined) return [`${insert} VALUES ($1, $2, $3)`, [first!.uuid, first!.accountId, first!.body]];
  return [
    `${insert} SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[])`,
    [rows.map(({ uuid }) => uuid), rows.map(({ accountId }) => accountId), rows.map(({ body }) => body)],
  ];
}

/** SQL for a JSON text in one column, or in the payload named by another column. */
export function storedText(inline: string, payloadId: string): string {
  return `CASE WHEN ${payloadId} IS NULL THEN ${inline}::text ELSE ${payloadBody(payloadId)} END`;
}

/** SQL for the text of a payload; null without one, or if it has more than `maxBytes`. */
export function payloadBody(payloadId: string, maxBytes?: number): string {
  // PostgreSQL knows the length of a text without reading it.
  const short = maxBytes === undefined ? '' : ` AND octet_length(payloads.body) <= ${maxBytes}`;
  return `(SELECT payloads.body FROM payloads WHERE payloads.id = ${payloadId}${short})`;
}

/**
 * The same for a statement that also locks rows. In PostgreSQL 18 up to at least 18.4 a statement ends its server
 * process, and with it all connections, if it locks a row that another transaction has changed and then looks up a
 * partitioned table by a value of another row (PostgreSQL commit 1b5dd3a). A function looks it up in a statement of
 * its own.
 */
export function lockedPayloadBody(payloadId: string): string {
  return `payload_body(${payloadId})`;
}
