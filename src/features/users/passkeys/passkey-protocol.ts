import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server';
import { AppError, validationError } from '../../../platform/errors.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { type ChallengePurpose, type Challenges } from './challenges.js';

const SERVICE = 'Workflow Gateway';
/** The maximum length of the id of a passkey (WebAuthn, 5.8.3), in bytes. */
export const MAX_ID_BYTES = 1_023;
/** The ways to a device that WebAuthn names (5.8.4). */
const TRANSPORTS = ['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal', 'cable'];
/** Formats that an authenticator may choose although the service requested no attestation (WebAuthn, 5.1.3). */
const FORMATS = new Set(['none', 'packed']);

/** The user for whom a passkey is created. */
export interface PasskeyUser {
  /** The uuid. The passkey stores it, and returns it at each sign-in. */
  userId: string;
  email: string;
  name: string;
}

/** The result of a sign-in with a passkey. */
export interface Assertion {
  /** How often the passkey has signed; 0 from devices that do not count. */
  counter: number;
  /** The challenge that it signed, in base64url. */
  challenge: string;
}

/** The two ceremonies of WebAuthn by SimpleWebAuthn, for the host of `BASE_URL`. A device must verify the person. */
export class PasskeyProtocol {
  private readonly origin: string;
  private readonly host: string;

  constructor(
    baseUrl: string,
    private readonly challenges: Challenges,
    private readonly logger: Logger,
  ) {
    const { origin, hostname } = new URL(baseUrl);
    this.origin = origin;
    this.host = hostname;
  }

  /** Whether browsers create passkeys for the host: they do for names, but not for IP addresses. */
  get isPossible(): boolean {
    return isIP(this.host.replace(/^\[(.*)\]$/, '$1')) === 0;
  }

  /** What a browser needs to create a passkey; `known` are the passkeys of the user, so that no device gets a second. */
  async creationOptions(
    { userId, email, name }: PasskeyUser,
    known: readonly { id: string; transports: string[] }[],
    purpose: ChallengePurpose,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { generateRegistrationOptions } = await library();
    return generateRegistrationOptions({
      rpName: SERVICE,
      rpID: this.host,
      userID: Uint8Array.from(bytesOf(userId)),
      userName: email,
      userDisplayName: name,
      challenge: this.challenges.issue(purpose),
      attestationType: 'none',
      excludeCredentials: [...known],
      // Without a typed address only a passkey that the device itself finds can sign in.
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  }

  /** The new passkey in the response of a browser. @throws AppError `validation_error`. */
  async created(response: object, purpose: ChallengePurpose): Promise<WebAuthnCredential & { transports: string[] }> {
    try {
      await refuseAttestation(response);
      const { verifyRegistrationResponse } = await library();
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: response as RegistrationResponseJSON,
        expectedChallenge: (challenge) => this.challenges.isValid(challenge, purpose),
        expectedOrigin: this.origin,
        expectedRPID: this.host,
      });
      if (!verified) throw new Error('The attestation of the passkey is wrong.');
      const { credential } = registrationInfo;
      if (Buffer.from(credential.id, 'base64url').length > MAX_ID_BYTES) throw new Error('The id is too long.');
      return { ...credential, transports: knownTransports(credential.transports) };
    } catch (error) {
      this.logger.info(errorFields(error), 'a new passkey was refused');
      throw validationError({ field: 'response', message: 'is not a new passkey for this service: try again' });
    }
  }

  /** What a browser needs to sign in with any passkey of this service. */
  async requestOptions(): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { generateAuthenticationOptions } = await library();
    const challenge = this.challenges.issue('sign-in');
    return generateAuthenticationOptions({ rpID: this.host, challenge, userVerification: 'required' });
  }

  /** Verifies the response of a browser against a stored passkey. @throws AppError `unauthorized`. */
  async asserted(response: object, { userId, ...credential }: WebAuthnCredential & { userId: string }) {
    const given = response as AuthenticationResponseJSON;
    let signed = '';
    try {
      const { verifyAuthenticationResponse } = await library();
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: given,
        expectedChallenge: (challenge) => {
          signed = challenge;
          return this.challenges.isValid(challenge, 'sign-in');
        },
        expectedOrigin: this.origin,
        expectedRPID: this.host,
        credential,
      });
      const handle = given.response.userHandle ?? '';
      if (!verified) throw new Error('The signature of the passkey is wrong.');
      if (handle !== bytesOf(userId).toString('base64url')) throw new Error('The passkey names another user.');
      return { counter: authenticationInfo.newCounter, challenge: signed } satisfies Assertion;
    } catch (error) {
      this.logger.info(errorFields(error), 'a passkey was refused');
      throw passkeyRefused();
    }
  }
}

/** The error for a passkey that does not sign in, whatever the reason. */
export function passkeyRefused(): AppError {
  return new AppError('unauthorized', 'This passkey does not sign you in here. Try again, or use your password.');
}

/** The library has 26 MB of memory and loads in 0.2 s: not before a passkey is used. */
function library() {
  return import('@simplewebauthn/server');
}

/**
 * The library downloads the revocation lists of certificates in an attestation, past `platform/http`. The service
 * requests no attestation, so one with certificates is refused before the library reads it.
 */
async function refuseAttestation(response: object): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  const text = (response as { response?: { attestationObject?: unknown } }).response?.attestationObject;
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(String(text)));
  if (!FORMATS.has(attestation.get('fmt')) || attestation.get('attStmt').get('x5c') !== undefined) {
    throw new Error('The attestation has certificates.');
  }
}

/** Browsers report the transports beside the signed data, so they can be anything. */
function knownTransports(given: unknown): string[] {
  return Array.isArray(given) ? TRANSPORTS.filter((transport) => given.includes(transport)) : [];
}

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}
