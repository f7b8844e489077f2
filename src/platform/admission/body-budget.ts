import { AppError } from '../errors.js';
import { FairShare } from './fair-share.js';

const MEBIBYTE = 2 ** 20;
/** The most bytes of a body that are read before its token is known. */
export const UNKNOWN_BYTES = 65_536;
/** All bodies of the process whose token is not known yet, shared by the sender's address. */
const UNKNOWN_SPACE = 64 * MEBIBYTE;
/** All larger bodies of the process, shared by account. */
const KNOWN_SPACE = 128 * MEBIBYTE;

/** The bytes of bodies that this process holds, from the first byte of a post until it is answered. */
export class BodyBudget {
  private readonly unknown = new FairShare(UNKNOWN_SPACE);
  private readonly known = new FairShare(KNOWN_SPACE);

  /** How many bytes are held now. */
  get inUse(): number {
    return this.unknown.inUse + this.known.inUse;
  }

  /**
   * Space for a body that says its length, or may have `limit` bytes. `owner` looks up the account of its token.
   * @throws AppError `unavailable` when the space before a token is known is used up.
   */
  open(sender: string, length: number, owner: () => Promise<string>): BodySpace {
    const size = Math.min(length, UNKNOWN_BYTES);
    return new BodySpace(size, spaceOf(this.unknown, sender, size), async () =>
      spaceOf(this.known, await owner(), length),
    );
  }

  /** Space for a body of someone who needs no key, e.g. to sign in. @returns and @throws as `hold`. */
  holdUnknown(sender: string, length: number): () => void {
    return spaceOf(this.unknown, sender, length);
  }

  /** Space for a body whose sender is known. @returns the function that gives it back. @throws AppError `unavailable`. */
  hold(accountId: string, length: number): () => void {
    return spaceOf(this.known, accountId, length);
  }
}

/** The space of one body. */
export class BodySpace {
  constructor(
    private bytes: number,
    private giveBack: () => void,
    private readonly enlarge: () => Promise<() => void>,
  ) {}

  /** Whether a body of so many bytes fits. */
  fits(bytes: number): boolean {
    return bytes <= this.bytes;
  }

  /** Makes room for the whole body, in the name of its account. @throws AppError what `owner` throws, or `unavailable`. */
  async grow(): Promise<void> {
    const giveBack = await this.enlarge();
    this.giveBack();
    this.giveBack = giveBack;
    this.bytes = Infinity;
  }

  /** Gives the space back. To be called once, when nothing holds the body any more. */
  close(): void {
    this.giveBack();
  }
}

function spaceOf(share: FairShare, who: string, bytes: number): () => void {
  const giveBack = share.tryTake(who, bytes);
  if (giveBack !== undefined) return giveBack;
  throw new AppError('unavailable', 'Too many bodies are being read. Try again shortly.', { retryAfter: 1 });
}
