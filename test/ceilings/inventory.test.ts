import { readFile } from 'node:fs/promises';

/** Every ceiling of the service, and the test that meets it at its number and one past it. */
const CEILINGS: readonly [ceiling: string, file: string, test: string][] = [
  ['200 levels of a REST body', 'rest/bodies', 'is nested 200 levels deep at most, counted over the whole body'],
  ['200 levels of a GraphQL body', 'graphql/http', 'takes a body of 200 levels and refuses 201 with 400'],
  ['200 levels of a literal', 'graphql/http', 'refuses a literal of 201 levels of `%s` with 400'],
  ['200 levels of variables in a query', 'graphql/http', 'GET refuses variables that nest 200 levels'],
  ['200 levels over every transport', 'graphql/limits', 'variables of 201 levels, with the request, are refused'],
  ['200 levels of a hook', 'hooks/inbound-hooks', "['200 levels',"],
  ['201 levels of a hook', 'hooks/inbound-hooks', "['201 levels',"],
  ['200 levels of an event', 'app-events/app-events', 'takes 1,048,576 bytes and 200 levels'],
  ['201 levels of an event', 'app-events/app-events', "['201 levels',"],
  ['200 levels behind another parser', 'rest/mounted', "'201 levels',"],
  ['200 levels of tokens', 'ceilings/nesting', 'is 200 levels at most in an answer with tokens'],
  ['200 levels of an identity', 'ceilings/nesting', 'is 200 levels at most in an answer with an identity'],
  ['200 levels of a renewal', 'ceilings/nesting', 'is 200 levels at most in an answer to a renewal'],
  ['50 actions', 'rest/actions', 'are 50 at most'],
  ['100 triggers', 'ceilings/triggers', 'are 100 at most: one more is refused until one is deleted'],
  ['100 triggers, raced for', 'ceilings/triggers', 'are 100 at most when two processes race for the last place'],
  ['100 subscriptions of a socket', 'graphql/websocket', 'takes 100 subscriptions and refuses one more'],
  ['1,000 sockets of a key', 'graphql/websocket', 'closes with 4429 for more than 1,000 sockets of a key'],
  ['1,000 connections of a key', 'ceilings/connections', 'are 1,000: one more gets no place'],
  ['100 waits of a key', 'integrations/waiting', 'is refused with 429 beyond 100 of one key'],
  ['100 waits of a key, for runs too', 'runs/waiting', 'is a place less for the other waits of the key'],
  ['102,400 bytes of REST', 'rest/bodies', 'may be 102,400 bytes and not one more'],
  ['102,400 bytes of GraphQL', 'graphql/http', 'takes 102,400 bytes and refuses one more with 413'],
  ['102,400 bytes of an event stream', 'graphql/limits', 'openStream(server, key, bytes('],
  ['102,400 bytes of a message', 'graphql/limits', 'socket.send(message(102_401))'],
  ['1,048,576 bytes of a hook', 'hooks/inbound-hooks', 'takes 1,048,576 bytes and not one more'],
  ['1,048,576 bytes of an event', 'app-events/app-events', 'takes 1,048,576 bytes and 200 levels'],
  ['1,048,577 bytes of an event', 'app-events/app-events', "['one byte too much',"],
  ['1,000 tokens', 'graphql/limits', '1,000 tokens are taken, one more is refused'],
  ['10 levels of selections', 'graphql/limits', '10 levels are taken, an eleventh is refused'],
  ['15 aliases', 'graphql/limits', '15 aliases are taken, a sixteenth is refused'],
  ['10 root fields', 'graphql/limits', '10 root fields are taken, an eleventh is refused'],
  ['5,000 nodes', 'graphql/limits', "describe('nodes'"],
  ['5 hops', 'hooks/inbound-hooks', "'Workflow-Hops': hops"],
  ['5 hops to an event', 'app-events/app-events', 'counts the hops of our own runs'],
  ['255 characters of an Idempotency-Key', 'ceilings/numbers', 'has 255 characters at most'],
  ['60 s of a dead Idempotency-Key', 'ceilings/numbers', 'whose process died is free after 60 s, and not after 59'],
  ['255 code points of a label', 'ceilings/numbers', '%s has 255 code points at most, and 1 at least'],
  ['255 code points in a session', 'ceilings/numbers', 'has a %s of 255 code points at most, and 1 at least'],
  ['3,600 s of a session', 'ceilings/numbers', 'lives 3,600 seconds at most, and 60 at least, on both doors'],
  ['255 code points of a name', 'rest/workflows', 'refuses a name of 256 code points and a description of 1,001'],
  ['100 per page', 'ceilings/numbers', 'of %s is 100 at most, and 1 at least'],
  ['30 s of waiting', 'ceilings/numbers', 'is 30 seconds at most, and 1 at least, on both doors'],
  ['30 s of waiting for a run', 'runs/waiting', "['0', '31',"],
  ['200 reads at once', 'ceilings/rates', 'let a burst of 200 reads pass, and refuse one more'],
  ['200 writes at once', 'ceilings/rates', 'let a burst of 200 writes pass, and refuse one more'],
  ['200 posts at once', 'ceilings/rates', 'let a burst of 200 posts to a hook pass, and refuse one more'],
  ['100 a second', 'ceilings/rates', 'are 100 a second once the burst is used up'],
];

describe('every ceiling', () => {
  it.each(CEILINGS)('%s: test/%s', async (_, file, test) => {
    expect(await readFile(new URL(`../${file}.test.ts`, import.meta.url), 'utf8')).toContain(test);
  });
});
