import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** The bits of authenticator data (WebAuthn, 6.1). */
const [PRESENT, VERIFIED, HAS_KEY] = [0x01, 0x04, 0x40] as const;

/** What a hostile browser changes in a response. */
export interface Twist {
  origin?: string;
  host?: string;
  counter?: number;
  /** Whether the device verified the person; true by default. */
  verified?: boolean;
  userHandle?: string;
  /** Not signed. */
  transports?: unknown;
  type?: string;
  /** The challenge that is signed instead of the requested one. */
  challenge?: string;
}

/** A passkey in software, which signs whatever it is asked to. */
export class SoftPasskey {
  readonly id: string;
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private userHandle = '';
  counter = 0;

  constructor(
    private readonly baseUrl: string,
    idBytes = 32,
  ) {
    this.id = randomBytes(idBytes).toString('base64url');
  }

  /** The response to the options of `passkeys/start`; `statement` replaces the empty attestation. */
  create(options: any, twist: Twist = {}, [fmt, statement]: [string, Map<string, any>] = ['none', new Map()]): object {
    this.userHandle = options.user.id;
    const idBytes = Buffer.from(this.id, 'base64url');
    const credential = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([idBytes.length >> 8, idBytes.length & 0xff]),
      idBytes,
      coseOf(this.keys.publicKey),
    ]);
    const authData = Buffer.concat([this.data(twist, HAS_KEY), credential]);
    const attestation = new Map<string, any>([
      ['fmt', fmt],
      ['attStmt', statement],
      ['authData', Uint8Array.from(authData)],
    ]);
    return this.shaped({
      clientDataJSON: this.client('webauthn.create', options, twist),
      attestationObject: Buffer.from(isoCBOR.encode(attestation)).toString('base64url'),
      transports: twist.transports ?? ['internal'],
    });
  }

  /** The response to the options of `sign-in/passkey/start`. */
  get(options: any, twist: Twist = {}): object {
    const data = this.data(twist, 0);
    const client = this.client('webauthn.get', options, twist);
    const signed = Buffer.concat([data, createHash('sha256').update(Buffer.from(client, 'base64url')).digest()]);
    return this.shaped({
      clientDataJSON: client,
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.keys.privateKey).toString('base64url'),
      userHandle: twist.userHandle ?? this.userHandle,
    });
  }

  private shaped(response: object): object {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response };
  }

  private client(type: string, options: any, twist: Twist): string {
    const { origin } = new URL(this.baseUrl);
    const client = { type, challenge: options.challenge, origin, crossOrigin: false };
    const { type: otherType = type, challenge = client.challenge } = twist;
    return Buffer.from(
      JSON.stringify({ ...client, type: otherType, challenge, origin: twist.origin ?? origin }),
    ).toString('base64url');
  }

  private data(
    { host = new URL(this.baseUrl).hostname, counter = this.counter, verified = true }: Twist,
    flag: number,
  ) {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const flags = Buffer.from([PRESENT | (verified ? VERIFIED : 0) | flag]);
    return Buffer.concat([createHash('sha256').update(host).digest(), flags, count]);
  }
}

function coseOf(key: KeyObject): Buffer {
  const { x, y } = key.export({ format: 'jwk' });
  const bytes = (text?: string) => Uint8Array.from(Buffer.from(text!, 'base64url'));
  const cose = new Map<number, any>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytes(x)],
    [-3, bytes(y)],
  ]);
  return Buffer.from(isoCBOR.encode(cose as never));
}
