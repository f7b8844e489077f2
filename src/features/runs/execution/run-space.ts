import { FairShare } from '../../../platform/admission/fair-share.js';
import { holderLane, LONG_BYTES, LongWork } from '../../../platform/admission/long-work.js';
import { OneByOne } from '../../../platform/admission/one-by-one.js';
import { workApart, workFor } from '../../../platform/admission/work.js';
import { type Action } from '../../actions/action.entity.js';
import { definitionOf } from '../../actions/action-kind.js';
import { type Reads, readsOf, type TextName, TRIGGER_HEADERS, TRIGGER_QUERY } from '../../actions/reads.js';
import { MAX_RENDERED_BYTES } from '../../actions/placeholders/render.js';
import { RecentTexts } from '../../../platform/caches/recent-texts.js';
import { type Database } from '../../../platform/db/database.js';
import { storedText } from '../../../platform/payloads.js';
import { type ClaimedRun } from './claimed-run.js';
import { lengthOf, type StepSources, type Texts, textsFor } from './run-text.js';
import { MAX_OUTPUT_BYTES } from './step-output.js';

/** Memory for the running steps of a process, in bytes, besides the texts that `run-text.ts` keeps for each run. */
const RUN_BYTES = 128 * 2 ** 20;

/** The characters of large inputs that stay in memory: of a run that was just queued, or of several runs. */
export const KEPT_LENGTH = 8 * 2 ** 20;

/** A text takes up to two bytes of memory per byte of UTF-8. */
const MEMORY = 2;

const STORED_TEXTS = `
  SELECT 'output' AS kind, s.name, ${storedText('s.output', 's.payload_id')} AS text
  FROM steps s WHERE s.run_id = $1 AND s.index = ANY($2)
  UNION ALL
  SELECT 'input', NULL, ${storedText('r.input', 'r.payload_id')} FROM runs r WHERE r.id = $1 AND $3
  UNION ALL
  SELECT 'headers', NULL, r.trigger_headers::text FROM runs r WHERE r.id = $1 AND $4
  UNION ALL
  SELECT 'query', NULL, r.trigger_query::text FROM runs r WHERE r.id = $1 AND $5`;

interface StoredRow {
  kind: 'output' | 'input' | 'headers' | 'query';
  name: string | null;
  text: string | null;
}

/** Resolves when work on so many characters may be done, see `LongWork.piece`. */
export type Piece = (length: number) => Promise<void>;

/** Access to the texts that a step reads from its run. */
export interface StepReading {
  /** Reads the texts that are not in memory. @throws the error of the database. */
  load(): Promise<void>;
  /** Passes the texts to `work`, which awaits a piece before each part of it, and releases them when it has ended. */
  read<T>(work: (texts: Texts, piece: Piece) => Promise<T>): Promise<T>;
}

/** The memory reserved for a step until it is saved. */
export interface StepSpace extends StepReading {
  leave(): void;
}

/** For steps that need no reservation because their texts are in memory already, which are short. */
export function inMemory(texts: Texts): StepReading {
  return { load: () => Promise.resolve(), read: (work) => work(texts, AT_ONCE) };
}

/**
 * Admits steps by the memory they need: the texts they read, then the request and the stored response. Accounts get
 * fair shares. A waiting step holds no text, and the further runs of its account stay in the queue.
 */
export class RunSpace {
  private readonly share: FairShare;
  /** Texts are parsed one at a time, so reading many at once would only take the database from others. */
  private readonly longReads = new OneByOne();
  /** One step of the process at a time has values of long texts in memory. */
  private readonly parsing = new OneByOne();
  private readonly closing = new AbortController();

  constructor(
    private readonly db: Database,
    private readonly long = new LongWork(),
    /** Payloads that are kept for further runs with the same input: an event may fire thousands. */
    private readonly payloads = new RecentTexts(KEPT_LENGTH),
    size = RUN_BYTES,
  ) {
    this.share = new FairShare(size);
  }

  /** Bytes reserved by steps now. */
  get inUse(): number {
    return this.share.inUse;
  }

  /** The accounts that have a waiting step. */
  get waiters(): ReadonlySet<string> {
    return this.share.waiters;
  }

  /** Admits no further steps, so that a stopping worker hands its runs back. */
  close(): void {
    this.closing.abort();
  }

  /** Waits until the step's memory is reserved. @returns undefined after `close`. */
  async enter(run: ClaimedRun, action: Action): Promise<StepSpace | undefined> {
    const reads = readsOf(action);
    const sources = textsFor(run, reads);
    const sizes = sizesOf(action, reads, sources);
    const parts = await this.take(run.accountId, sizes);
    if (parts === undefined) return undefined;
    const [leaveTexts, leaveCall] = parts;
    let texts: Texts = new Map();
    const drop = () => {
      texts = new Map();
      leaveTexts();
    };
    return {
      load: async () => {
        texts = new Map([...sources.inMemory, ...(await this.load(run, sources.inDatabase))]);
      },
      read: (work) => this.read(run.accountId, texts, work).finally(drop),
      leave: () => {
        drop();
        leaveCall();
      },
    };
  }

  /** Reserves texts and call at once: steps that hold one and wait for the other could deadlock. */
  private async take(account: string, sizes: Sizes): Promise<[() => void, () => void] | undefined> {
    if (this.closing.signal.aborted) return undefined;
    const { texts, call } = sizes;
    if (texts + call === 0) return [NOTHING, NOTHING];
    try {
      const [leaveTexts, leaveCall] = await this.share.takeParts(account, [texts, call], this.closing.signal);
      return [leaveTexts!, leaveCall!];
    } catch {
      return undefined;
    }
  }

  private read<T>(account: string, texts: Texts, work: (texts: Texts, piece: Piece) => Promise<T>): Promise<T> {
    if (lengthOf(texts) <= LONG_BYTES) return work(texts, AT_ONCE);
    const lane = holderLane(account);
    return this.parsing.add(account, () => work(texts, (length) => this.long.piece(lane, length)));
  }

  private async load(run: ClaimedRun, wanted: StepSources['inDatabase']): Promise<Texts> {
    if (wanted.size === 0) return new Map();
    const { accountId } = run;
    const read = () => this.readStored(run, wanted);
    const bytes = [...wanted.values()].reduce((sum, one) => sum + one, 0);
    if (bytes > LONG_BYTES) return this.longReads.add(accountId, () => workApart(accountId, read));
    const texts = await workFor(accountId, read);
    // Parsing texts blocks the event loop, and a worker reads many at once. Long ones are parsed in pieces.
    await this.long.turn(accountId);
    return texts;
  }

  /**
   * Reads texts, except a payload that another run has just read. The caller is in the account's database turns, so that
   * statements for all accounts don't wait behind these reads.
   */
  private async readStored({ uuid, input, steps }: ClaimedRun, wanted: StepSources['inDatabase']): Promise<Texts> {
    const payload = wanted.has(null) ? (input.payloadUuid ?? undefined) : undefined;
    const kept = payload === undefined ? undefined : this.payloads.find(payload);
    if (kept !== undefined && wanted.size === 1) return new Map([[null, kept]]);
    const indices = steps.filter(({ name }) => wanted.has(name)).map(({ index }) => index);
    const values = [
      uuid,
      indices,
      wanted.has(null) && kept === undefined,
      wanted.has(TRIGGER_HEADERS),
      wanted.has(TRIGGER_QUERY),
    ];
    const rows = await this.db.query<StoredRow>(STORED_TEXTS, values);
    const texts: Texts = new Map(rows.map((row) => [textName(row), row.text ?? 'null']));
    const text = kept ?? texts.get(null);
    if (payload !== undefined && text !== undefined) {
      texts.set(null, text);
      this.payloads.keep(payload, text);
    }
    return texts;
  }
}

function textName({ kind, name }: StoredRow): TextName {
  if (kind === 'headers') return TRIGGER_HEADERS;
  return kind === 'query' ? TRIGGER_QUERY : name;
}

/** The memory that a step needs, in bytes. */
interface Sizes {
  /** Held until the config is rendered. */
  texts: number;
  /** Held until the step is saved: the request and the stored output. */
  call: number;
}

function sizesOf({ kind }: Action, { texts, length }: Reads, { inMemory, inDatabase }: StepSources): Sizes {
  const read = [...inDatabase.values()].reduce((sum, bytes) => sum + bytes, 0) * MEMORY;
  if (definitionOf(kind).isAtOnce === true) return { texts: read, call: 0 };
  let rendered = length;
  for (const [name, places] of texts) rendered += places * (inDatabase.get(name) ?? inMemory.get(name)?.length ?? 0);
  return { texts: read, call: Math.min(rendered, MAX_RENDERED_BYTES) + MAX_OUTPUT_BYTES };
}

const AT_ONCE: Piece = () => Promise.resolve();

const NOTHING = (): void => undefined;
