import { type IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Where a request came from: the connection's other end, or what the outermost of `hops` proxies of ours saw
 * (`X-Forwarded-For`, counted from its end, since what stands before is the client's own word).
 */
export function clientAddress({ headers, socket }: IncomingMessage, hops: number): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  const seen = hops > 0 ? forwarded.at(-hops)?.trim() : undefined;
  return seen !== undefined && isIP(seen) > 0 ? seen : (socket.remoteAddress ?? 'unknown');
}
