import { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { type InboundOptions, type JsonPost, postOf, withBody } from '../hooks/inbound-post.js';
import { sha256 } from '../../../platform/encryption/secrets.js';
import { demandSignature, demandSignedBytes, type EventPost, greetingOf } from './event-post.js';
import { accountsOf, laneOf, type ProvenSource } from './event-source.js';
import { type EventOutcome, type EventStore } from './event-store.js';

type Options = Pick<InboundOptions, 'bodies' | 'longWork' | 'clientOf' | 'refusal'> & { store: EventStore };

/**
 * Handles a post to `/events/<type>`. The address is public: nothing is parsed, looked up or counted before the
 * signature is verified, so that unsigned posts don't use up the provider's rate limit.
 */
export async function takeShared(
  options: Options,
  request: IncomingMessage,
  proven: ProvenSource,
): Promise<EventOutcome> {
  const { store, refusal, longWork } = options;
  const { headers } = request;
  const sender = `shared ${options.clientOf(request)}`;
  return withBody(
    request,
    '',
    { ...options, spend: () => undefined },
    async () => sender,
    async (body) => {
      demandSignedBytes({ body, headers }, proven, store.now());
      await longWork.piece(sender, body.length);
      const post = openShared({ ...postOf(body), headers }, proven, store.now());
      if ('answer' in post) return post;
      const refused = refusal(laneOf(post.shared!), body.length);
      if (refused !== undefined) throw refused;
      return store.accept(post);
    },
  );
}

/** Verifies the signature. @throws AppError `unauthorized` if it is missing or wrong. */
function openShared(
  post: JsonPost & { headers: IncomingHttpHeaders },
  proven: ProvenSource,
  now: Date,
): { answer: string } | EventPost {
  demandSignature(post, proven, now);
  const answer = greetingOf(post, proven);
  if (answer !== undefined) return { answer };
  const shared = { proven, accounts: accountsOf(proven.source, post.value) };
  return { ...post, digest: sha256(laneOf(shared)), shared };
}
