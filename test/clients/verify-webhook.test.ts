import { createHmac } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Copy, describeWith } from './guide.js';

const KEY = Buffer.from('24 bytes that are random');

let copy: Copy;
beforeAll(() => {
  copy = new Copy({});
});
afterAll(() => copy.close());

describeWith(['bash', 'openssl'], 'the check of a webhook in a shell', () => {
  it('tells genuine from forged and old', async () => {
    const body = '{"type":"webhook.test"}';
    const now = Math.floor(Date.now() / 1_000);
    const sign = (time: number | string) => createHmac('sha256', KEY).update(`msg_1.${time}.${body}`).digest('base64');
    const check = (signature: string, time: number | string = now) =>
      copy.start(
        'verify_webhook.sh',
        {
          ...{ WEBHOOK_SECRET: `whsec_${KEY.toString('base64')}`, WEBHOOK_ID: 'msg_1' },
          ...{ WEBHOOK_TIMESTAMP: String(time), WEBHOOK_SIGNATURE: signature },
        },
        body,
      );
    const told = async (...args: Parameters<typeof check>) => {
      const run = check(...args);
      return [await run.exit, ...run.lines];
    };
    expect(await told(`v1,of another secret v1,${sign(now)}`)).toEqual([0, 'genuine']);
    expect(await told(`v1,${sign(now - 1)}`)).toEqual([1, 'forged']);
    expect(await told(`v1,${sign(now - 600)}`, now - 600)).toEqual([1, 'too old']);
    // bash reads a number with a zero in front as octal.
    expect(await told(`v1,${sign(`0${now}`)}`, `0${now}`)).toEqual([0, 'genuine']);
  });

  it.each(['whsec_', 'whsec_abc', 'whsec_$$$$', 'whsec_ab=c'])('refuses the malformed secret %s', async (secret) => {
    const headers = { WEBHOOK_ID: 'msg_1', WEBHOOK_TIMESTAMP: String(Math.floor(Date.now() / 1_000)) };
    const env = { ...headers, WEBHOOK_SIGNATURE: 'v1,any', WEBHOOK_SECRET: secret };
    const run = copy.start('verify_webhook.sh', env);
    const errors = 'WEBHOOK_SECRET is malformed: it is whsec_ and base64.\n';
    expect([await run.exit, run.lines, run.errors]).toEqual([1, [], errors]);
  });

  const EXECUTED = 'executed';
  const HOSTILE = [
    ...[`PATH[$(touch ${EXECUTED})]`, `$(touch ${EXECUTED})`, `\`touch ${EXECUTED}\``, `0; touch ${EXECUTED}`],
    ...['', '-1', '1 + 1', '0x10', '1e3', '1\n2', '*', '%s%n', '9'.repeat(13), '-n', 'WEBHOOK_SECRET'],
  ];

  it.each(HOSTILE)('executes nothing of %j in a header', async (value) => {
    const genuine = { WEBHOOK_ID: 'msg_1', WEBHOOK_TIMESTAMP: String(Math.floor(Date.now() / 1_000)) };
    const env = { ...genuine, WEBHOOK_SIGNATURE: 'v1,forged', WEBHOOK_SECRET: `whsec_${KEY.toString('base64')}` };
    const before = readdirSync(copy.folder);
    for (const name of ['WEBHOOK_TIMESTAMP', 'WEBHOOK_ID', 'WEBHOOK_SIGNATURE']) {
      const run = copy.start('verify_webhook.sh', { ...env, [name]: value }, value);
      expect([name, await run.exit, run.lines, run.errors]).toEqual([name, 1, ['forged'], '']);
    }
    expect(readdirSync(copy.folder)).toEqual(before);
  });
});
