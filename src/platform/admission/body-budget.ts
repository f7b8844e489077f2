import { AppError } from '../errors.js';
import { FairShare } from './fair-share.js';

const MEBIBYTE = 2 ** 20;
/** The maximum read of a body before its token is verified, in bytes. */
export const UNKNOWN_BYTES = 65_536;
/** Memory for all bodies whose token is not yet verified, shared by client address, in bytes. */
export const UNKNOWN_SPACE = 64 * MEBIBYTE;
/** Memory for all larger bodies, shared by account, in bytes. */
const KNOWN_SPACE = 128 * MEBIBYTE;

/** The memory that request bodies hold in this process, from the first byte until the response. */
export class BodyBudget {
  private readonly unknown = new FairShare(UNKNOWN_SPACE);
  private readonly known = new FairShare(KNOWN_SPACE);

  /** The bytes held now. */
  get inUse(): number {
    return this.unknown.inUse + this.known.inUse;
  }

  /**
   * Reserves space for a body of the declared length, or of the limit if it declares none. `owner` looks up the account
   * of its token. @throws AppError `unavailable` when the space for unverified bodies is used up.
   */
  open(sender: string, length: number, owner: () => Promise<string>): BodySpace {
    const size = Math.min(length, UNKNOWN_BYTES);
    return new BodySpace(size, spaceOf(this.unknown, sender, size), async () =>
      spaceOf(this.known, await owner(), length),
    );
  }

  /** Reserves space for a body without a key, e.g. of a sign-in. @returns and @throws as `hold`. */
  holdUnknown(sender: string, length: number): () => void {
    return spaceOf(this.unknown, sender, length);
  }

  /**
   * Reserves space for a body whose account is known. @returns the function that releases it. @throws AppError
   * `unavailable`.
   */
  hold(accountId: string, length: number): () => void {
    return spaceOf(this.known, accountId, length);
  }
}

/** The space reserved for one body. */
export class BodySpace {
  constructor(
    private bytes: number,
    private giveBack: () => void,
    private readonly enlarge: () => Promise<() => void>,
  ) {}

  /** Whether a body of this size fits. */
  fits(bytes: number): boolean {
    return bytes <= this.bytes;
  }

  /**
   * Reserves space for the whole body in the share of its account. @throws AppError as `owner` does, or `unavailable`.
   */
  async grow(): Promise<void> {
    const giveBack = await this.enlarge();
    this.giveBack();
    this.giveBack = giveBack;
    this.bytes = Infinity;
  }

  /** Releases the space. To be called once, when the body is no longer referenced. */
  close(): void {
    this.giveBack();
  }
}

function spaceOf(share: FairShare, holder: string, bytes: number): () => void {
  const giveBack = share.tryTake(holder, bytes);
  if (giveBack !== undefined) return giveBack;
  throw new AppError('unavailable', 'Too many bodies are being read. Try again shortly.', { retryAfter: 1 });
}
