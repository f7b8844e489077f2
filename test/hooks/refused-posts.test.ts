import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { answering, type InboundOptions } from '../../src/features/triggers/hooks/inbound-post.js';
import { ResponsePace } from '../../src/platform/admission/response-pace.js';
import { AppError, type ErrorCode } from '../../src/platform/errors.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { OnceASecond } from '../../src/platform/logging/once-a-second.js';

/** The clients whose refused posts are counted. */
async function countedFor(code: ErrorCode): Promise<string[]> {
  const counted: string[] = [];
  const refusals = new ResponsePace();
  refusals.next = (client) => (counted.push(client), 0);
  const options = {
    refusals,
    clientOf: () => 'sender',
    log: new OnceASecond(createLogger('silent')),
    onBadSignature: () => undefined,
  } as Partial<InboundOptions> as InboundOptions;
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  await answering(options, response, () => Promise.reject(new AppError(code, 'Refused.')));
  return counted;
}

describe('posts whose tokens have no limit together', () => {
  it.each(['not_found', 'gone'] as const)('are counted by client if they are refused as %s', async (code) => {
    expect(await countedFor(code)).toEqual(['sender']);
  });

  it.each(['rate_limited', 'conflict', 'invalid_json'] as const)('are not, if they are refused as %s', async (code) => {
    expect(await countedFor(code)).toEqual([]);
  });
});
