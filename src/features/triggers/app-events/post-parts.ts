import { type IncomingHttpHeaders } from 'node:http';
import { type JsonPost } from '../hooks/inbound-post.js';
import { type EventSource } from '../../integrations/apps/app.js';
import { deliveryIdOf } from './delivery-id.js';
import { handshakes } from './handshakes/index.js';
import { signatureSchemes } from './signatures/index.js';

/** A part of a post that may be an event by itself. */
export interface PostPart {
  value: unknown;
  /** The value as a JSON text. */
  input: string;
  /** The same in each delivery of it; undefined where nothing tells. */
  delivery: string | undefined;
}

/**
 * A post as its only part, unless it holds several notifications: then each of them in the form of a post that holds it
 * alone. @throws AppError `unauthorized` where no notification proves where it comes from.
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

/** A body that holds its own proof goes on without it: runs show what they were fired with. */
function withoutProof({ signature }: EventSource, value: unknown, input: string): Pick<PostPart, 'value' | 'input'> {
  const scheme = signature?.scheme;
  const bare = scheme === undefined ? undefined : signatureSchemes[scheme].withoutProof?.(value);
  return bare === undefined ? { value, input } : { value: bare, input: JSON.stringify(bare) };
}
