import { type IncomingHttpHeaders } from 'node:http';
import { type JsonPost } from '../hooks/inbound-post.js';
import { type EventSource } from '../../integrations/apps/app.js';
import { deliveryIdOf } from './delivery-id.js';
import { handshakes } from './handshakes/index.js';
import { signatureSchemes } from './signatures/index.js';

/** A part of a post that may be an event of its own. */
export interface PostPart {
  value: unknown;
  /** The value as a JSON text. */
  input: string;
  /** The delivery id; undefined without one. */
  delivery: string | undefined;
}

/**
 * The parts of a post: the post itself, or each of its notifications in the form of a post of its own.
 * @throws AppError `unauthorized` if the post has notifications and none has the right secret.
 */
export function partsOf(
  { value, input, headers }: JsonPost & { headers: IncomingHttpHeaders },
  source: EventSource,
  secret: string | null,
): readonly PostPart[] {
  const handshake = source.handshake === null ? undefined : handshakes[source.handshake];
  const notifications = handshake?.notificationsIn?.(value, secret);
  if (notifications === undefined) {
    return [{ ...withoutProof(source, value, input), delivery: deliveryIdOf(source, headers, value) }];
  }
  return notifications.map(({ post, delivery }) => ({ value: post, input: JSON.stringify(post), delivery }));
}

/** Removes a secret that proves the sender from the body: runs show their input. */
function withoutProof({ signature }: EventSource, value: unknown, input: string): Pick<PostPart, 'value' | 'input'> {
  const scheme = signature?.scheme;
  const bare = scheme === undefined ? undefined : signatureSchemes[scheme].withoutProof?.(value);
  return bare === undefined ? { value, input } : { value: bare, input: JSON.stringify(bare) };
}
