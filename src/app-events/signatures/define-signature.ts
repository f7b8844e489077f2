import { type IncomingHttpHeaders } from 'node:http';
import { type SignatureScheme } from '../../integrations/apps/app.js';

/** A post whose sender is to be proven. */
export interface SignedPost {
  headers: IncomingHttpHeaders;
  /** As it came, byte by byte. */
  body: Uint8Array;
  secret: string;
  now: Date;
}

/** How a scheme's senders sign. */
export interface SignatureDefinition {
  scheme: SignatureScheme;
  /** Whether the signature is there, right, and, where the scheme signs a time, not too old. */
  isSigned(post: SignedPost): boolean;
}

/** A scheme. Adding one is a file here, a line in `index.ts`, and its name in `SignatureScheme`. */
export function defineSignature<const D extends SignatureDefinition>(definition: D): D {
  return definition;
}
