import { createHmac } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_FORM_FIELDS } from '../../src/features/triggers/hooks/hook-body.js';
import { MAX_HOOK_BYTES } from '../../src/features/triggers/hooks/inbound-post.js';
import { HookWorld } from './hook-world.js';

let hooks: HookWorld;
beforeAll(async () => {
  hooks = await HookWorld.open();
});
afterAll(() => hooks.close());

const posted = async (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
  hooks.post(await hooks.world.trigger(), body, headers);
const FORM = 'application/x-www-form-urlencoded';

describe('the body of a post', () => {
  it.each([
    [FORM, 'a=1&b=x+y%26&a=2&__proto__=p', JSON.parse('{"a":["1","2"],"b":"x y&","__proto__":"p"}')],
    [FORM, '{"n":1}', { n: 1 }],
    ['text/plain', 'Two\nlines', 'Two\nlines'],
    ['text/plain', '12', '12'],
    ['text/plain', '"quoted"', 'quoted'],
    ['text/plain', '"Yes", she said.', '"Yes", she said.'],
    ['text/plain', ' [1', ' [1'],
    ['text/plain; charset="ISO-8859-1"', new Uint8Array([0xe9]), 'é'],
    ['text/xml', '<a/>', '<a/>'],
    ['application/atom+xml;charset=utf-8', '<a>é</a>', '<a>é</a>'],
    ['application/cloudevents+json', '[1]', [1]],
    ['image/png', '', null],
  ])('of type %s is read: %j', async (type, body, input) => {
    const answer = await posted(body, { 'content-type': type });
    expect(answer.status).toBe(202);
    expect(JSON.stringify((await hooks.runOf(answer)).input)).toBe(JSON.stringify(input));
  });

  it.each([
    ['image/png', 'x', 415, 'unsupported_media_type'],
    ['multipart/form-data; boundary=x', 'x', 415, 'unsupported_media_type'],
    ['text/plain; charset=klingon', 'x', 415, 'unsupported_media_type'],
    ['application/json', '{"a":}', 400, 'invalid_json'],
    ['text/plain', new Uint8Array([0xff]), 400, 'validation_error'],
    ['text/plain', '\n'.repeat(MAX_HOOK_BYTES), 413, 'payload_too_large'],
  ])('of type %s is refused', async (type, body, status, code) => {
    expect(await posted(body, { 'content-type': type })).toMatchObject({ status, body: { code } });
  });
});

it('a form may have 10,000 fields: the time to read one grows with the square of their number', async () => {
  const fields = (count: number) => posted('a&'.repeat(count - 1) + 'b=c', { 'content-type': FORM });
  expect(MAX_FORM_FIELDS).toBe(10_000);
  expect(await fields(MAX_FORM_FIELDS)).toMatchObject({ status: 202 });
  expect(await fields(MAX_FORM_FIELDS + 1)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
});

describe('a body in a content coding', () => {
  const codings: [string, (body: string) => Buffer][] = [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ];
  const bytes = (buffer: Buffer) => new Uint8Array(buffer);

  it.each(codings)('is decoded from %s, and its signature is of the decoded bytes', async (coding, encode) => {
    const secret = 'hook-coding-secret';
    const trigger = await hooks.world.trigger({ config: { secret } });
    const sign = `sha256=${createHmac('sha256', secret).update('{"n":1}').digest('hex')}`;
    const headers = { 'content-type': 'application/json', 'content-encoding': coding, 'x-signature-256': sign };
    const answer = await hooks.post(trigger, bytes(encode('{"n":1}')), headers);
    expect(answer.status).toBe(202);
    expect((await hooks.runOf(answer)).input).toEqual({ n: 1 });
  });

  it.each(codings)('is refused where %s decodes to too much, or is broken', async (coding, encode) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': coding };
    const bomb = encode(JSON.stringify('x'.repeat(MAX_HOOK_BYTES)));
    expect(bomb.length).toBeLessThan(10_000);
    expect(await posted(bytes(bomb), headers)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
    expect(await posted('{"n":1}', headers)).toMatchObject({ status: 400, body: { code: 'invalid_json' } });
    expect(hooks.bodies.inUse).toBe(0);
  });

  it('is refused in any other coding, and is not decoded for an unknown token', async () => {
    expect(await posted('x', { 'content-encoding': 'zstd' })).toMatchObject({ status: 415 });
    const unknown = { webhookUrl: `http://gateway.test/hooks/${'C'.repeat(43)}` };
    const bomb = bytes(gzipSync('x'.repeat(MAX_HOOK_BYTES + 1)));
    expect((await hooks.post(unknown, bomb, { 'content-encoding': 'gzip' })).status).toBe(404);
  });
});
