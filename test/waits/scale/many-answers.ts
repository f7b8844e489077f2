import { expect } from '@jest/globals';
import { Client } from '../../support/http/client.js';
import { pathOf } from '../wait-world.js';

/** How many answers are sent at once. */
const ANSWERS = 100;

/** Sends answers to a pending callback at once, by its URL and by its id, through several processes. */
export async function answerAtOnce(
  wait: { id: string; url: string },
  processes: readonly string[],
  key: string,
): Promise<void> {
  const send = async (place: number): Promise<{ body: string; status: number }> => {
    const client = new Client(processes[place % processes.length]!, key);
    const body = place % 4 === 0 ? '"the same"' : String(place);
    const { status } = await (place % 4 === 1
      ? client.rest('POST', `/waits/${wait.id}/answer`, { body: { body: place } })
      : client.send('POST', pathOf(wait.url), { body }));
    return { body, status };
  };
  const sent = await Promise.all(Array.from({ length: ANSWERS }, (_, place) => send(place)));
  const { body } = await new Client(processes[0]!, key).rest('GET', `/waits/${wait.id}`);
  const taken = JSON.stringify(body.answer.body);
  // By its id a wait is answered once; by its URL the same bytes may come again.
  const right = sent.map(({ body: given }, place) => (given !== taken ? 409 : place % 4 === 1 ? 200 : 202));
  expect(body.status).toBe('answered');
  expect(sent.map(({ status }) => status)).toEqual(right);
  expect(right.filter((status) => status !== 409).length).toBeGreaterThan(0);
}
