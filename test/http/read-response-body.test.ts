import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { readResponseBody } from '../../src/platform/http/outbound/read-response-body.js';
import { until } from '../support/until.js';

describe('a body that is read', () => {
  it('takes no more memory than its length, however small its chunks are', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const gate = Promise.withResolvers<void>();
    async function* received() {
      // As the HTTP parser returns chunks: views of the whole received buffer.
      for (let n = 0; n < 2_000; n += 1) yield Buffer.alloc(65_536, 'x').subarray(n, n + 1);
      await gate.promise;
    }
    collect();
    const before = process.memoryUsage().arrayBuffers;
    let size = 0;
    const reading = readResponseBody(Readable.from(received()), 5_000, 'host', (read) => void (size = read));
    await until(() => size === 2_000);
    // Of 131 MB received; collected memory is released a little later.
    await until(() => {
      collect();
      return process.memoryUsage().arrayBuffers - before < 13_000_000;
    });
    gate.resolve();
    expect((await reading).toString()).toBe('x'.repeat(2_000));
  });
});
