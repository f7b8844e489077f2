import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Clock } from '../../../platform/clock.js';

/** How long a person has from the page's request to the answer of the device, in milliseconds. */
const LIFE_MS = 5 * 60_000;
const TIME_BYTES = 8;
const NONCE_BYTES = 16;

/** What a challenge is for: a sign-in, or a new passkey of one session. */
export type ChallengePurpose = 'sign-in' | `add ${string}`;

/**
 * The challenges that passkeys sign. Each contains its time and a signature of the service, so that none has to be
 * stored before a passkey has signed it, and requests of unknown callers write nothing.
 */
export class Challenges {
  /** `secrets`: the first one signs new challenges, all of them verify. */
  constructor(
    private readonly clock: Clock,
    private readonly secrets: readonly [string, ...string[]],
  ) {}

  /** A new challenge, as bytes. */
  issue(purpose: ChallengePurpose): Uint8Array<ArrayBuffer> {
    const time = Buffer.alloc(TIME_BYTES);
    time.writeBigUInt64BE(BigInt(this.clock.now().getTime()));
    const body = Buffer.concat([time, randomBytes(NONCE_BYTES)]);
    return Uint8Array.from(Buffer.concat([body, signed(body, purpose, this.secrets[0])]));
  }

  /** Whether a challenge (base64url) is one of the service, for this purpose, and not expired. */
  isValid(challenge: string, purpose: ChallengePurpose): boolean {
    const bytes = Buffer.from(challenge, 'base64url');
    const body = bytes.subarray(0, TIME_BYTES + NONCE_BYTES);
    const signature = bytes.subarray(TIME_BYTES + NONCE_BYTES);
    const isSigned = this.secrets.some((secret) => {
      const expected = signed(body, purpose, secret);
      return signature.length === expected.length && timingSafeEqual(signature, expected);
    });
    return isSigned && this.endOf(challenge) > this.clock.now();
  }

  /** When a valid challenge expires. */
  endOf(challenge: string): Date {
    return new Date(Number(Buffer.from(challenge, 'base64url').readBigUInt64BE()) + LIFE_MS);
  }
}

function signed(body: Buffer, purpose: ChallengePurpose, secret: string): Buffer {
  return createHmac('sha256', secret).update(`${purpose}\n`).update(body).digest();
}
