import { type IncomingHttpHeaders } from 'node:http';
import { type SignatureScheme } from '../../../integrations/apps/app.js';

/** A post whose sender is to be proven. */
export interface SignedPost {
  headers: IncomingHttpHeaders;
  /** As it came, byte by byte. */
  body: Uint8Array;
  /** What the body says, as JSON. */
  value: unknown;
  secret: string;
  now: Date;
}

/** How a scheme's senders sign. */
export interface SignatureDefinition {
  scheme: SignatureScheme;
  /** Whether the signature is there, right, and, where the scheme signs a time, not too old. */
  isSigned(post: SignedPost): boolean;
  /** Whether the proof stands in the body. Otherwise `isSigned` does not look at `value`. */
  isInBody?: true;
  /** The body of a post that was proven, without a secret that stands in it. */
  withoutProof?(value: unknown): unknown;
}

/** A scheme. Adding one is a file here, a line in `index.ts`, and its name in `SignatureScheme`. */
export function defineSignature<const D extends SignatureDefinition>(definition: D): D {
  return definition;
}
