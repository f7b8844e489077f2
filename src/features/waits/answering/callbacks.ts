import { type IncomingMessage, type ServerResponse } from 'node:http';
import { LONG_BYTES } from '../../../platform/admission/long-work.js';
import { AppError, notFound } from '../../../platform/errors.js';
import { declaredLength } from '../../../platform/http/inbound/inbound-body.js';
import { sendJson } from '../../../platform/http/inbound/json-response.js';
import { sha256 } from '../../../platform/encryption/secrets.js';
import { keptOutput } from '../../runs/execution/step-output.js';
import { hookBodyOf } from '../../triggers/hooks/hook-body.js';
import { answering, type InboundOptions, type JsonPost, withPost } from '../../triggers/hooks/inbound-post.js';
import { type WaitPlace, type WaitTokens } from '../wait-tokens.js';
import { workFor } from '../../../platform/admission/work.js';
import { type RetriedWaits } from './retried-waits.js';
import { gone, type WaitAnswers } from './wait-answers.js';

/** Handles `POST /callbacks/:token`. Needs only node:http. Never rejects. */
export type Callbacks = (request: IncomingMessage, response: ServerResponse, token: string) => Promise<void>;

/** What callbacks need beside other inbound posts. */
export interface CallbackOptions extends Omit<InboundOptions, 'onBadSignature'> {
  tokens: WaitTokens;
  answers: WaitAnswers;
  retried: RetriedWaits;
}

/** Creates the handler of callbacks. It answers 202 once the answer is committed with the run's next step. */
export function createCallbacks(options: CallbackOptions): Callbacks {
  const { tokens, answers, retried, refusal } = options;
  const inbound = { ...options, onBadSignature: () => undefined };
  return (request, response, token) =>
    answering(inbound, response, async () => {
      const place = admit(request, token, tokens, refusal);
      const accountId = await answers.ownerOf(place.runUuid);
      const store = {
        ownerOf: () => Promise.resolve(accountId),
        laneOf: () => accountId,
        prove: () => Promise.resolve(),
      };
      const wait_id = await withPost(
        request,
        { token, digest: sha256(token) },
        { ...options, store },
        (body, pause) => valueOf(request.headers['content-type'], body, pause),
        (post) => takeOrForward({ answers, retried }, accountId, place, post),
      );
      sendJson(response, 202, { accepted: true, wait_id });
    });
}

/** The body as JSON. A long one is parsed in a turn of its own: its check has paused, and parsing blocks the event loop. */
async function valueOf(type: string | undefined, body: Buffer, pause: () => Promise<void>): Promise<JsonPost> {
  const post = await hookBodyOf(type, body, pause);
  if (post.input.length > LONG_BYTES) await pause();
  return { ...post, value: JSON.parse(post.input) as unknown };
}

function admit(
  request: IncomingMessage,
  token: string,
  tokens: WaitTokens,
  refusal: CallbackOptions['refusal'],
): WaitPlace {
  if (request.method !== 'POST')
    throw new AppError('method_not_allowed', 'A callback takes POST only.', { headers: { Allow: 'POST' } });
  const place = tokens.placeOf('callback', token);
  if (place === undefined) throw notFound('callback');
  const refused = refusal(token, declaredLength(request));
  if (refused !== undefined) throw refused;
  return place;
}

/** A URL whose wait is over leads to the wait of a retry. @returns the id of the wait. */
async function takeOrForward(
  { answers, retried }: Pick<CallbackOptions, 'answers' | 'retried'>,
  accountId: string,
  place: WaitPlace,
  post: JsonPost,
): Promise<string> {
  try {
    return await take(answers, accountId, place, post);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'gone') throw error;
    const next = await workFor(accountId, () => retried.placeAfter('callback', place));
    if (next === undefined) throw error;
    return take(answers, accountId, next, post);
  }
}

/** The same bytes may be posted again, e.g. by a sender that has not received the response. @returns the id of the wait. */
async function take(
  answers: WaitAnswers,
  accountId: string,
  { runUuid, index }: WaitPlace,
  { body, value }: JsonPost,
): Promise<string> {
  const text = keptOutput({ body: value })!.text!;
  const digest = sha256(body);
  const { wait, isTaken } = await answers.take({ accountId, runUuid, index, kind: 'callback', text, digest, by: null });
  if (isTaken) return wait.id;
  if (wait.status === 'answered')
    throw new AppError('conflict', 'The wait was answered with another body, or by an API key or a person.');
  throw gone(`The wait is over: it is ${wait.status}.`);
}
