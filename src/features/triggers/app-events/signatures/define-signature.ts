import { type IncomingHttpHeaders } from 'node:http';
import { type SignatureScheme } from '../../../integrations/apps/app.js';

/** A post whose signature is to be verified. */
export interface SignedPost {
  headers: IncomingHttpHeaders;
  /** The raw bytes. */
  body: Uint8Array;
  /** The parsed JSON body. */
  value: unknown;
  secret: string;
  now: Date;
}

/** How the senders of a scheme sign. */
export interface SignatureDefinition {
  scheme: SignatureScheme;
  /** Whether the signature is present and right, and its time is recent if the scheme signs one. */
  isSigned(post: SignedPost): boolean;
  /** Whether the proof stands in the body. Otherwise `isSigned` does not look at `value`. */
  isInBody?: true;
  /** Removes the secret from the body of a verified post; only for schemes that send one. */
  withoutProof?(value: unknown): unknown;
}

/** Defines a scheme. To add one: a file here, a line in `index.ts`, and its name in `SignatureScheme`. */
export function defineSignature<const D extends SignatureDefinition>(definition: D): D {
  return definition;
}
