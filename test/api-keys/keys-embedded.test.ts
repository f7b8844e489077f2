import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isKeyText } from '../../src/features/api-keys/key-text.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { createServer } from '../../src/process/server.js';
import { Client } from '../support/http/client.js';
import { scratchFolder } from '../support/scratch.js';
import { keysCommand } from './keys-command.js';
import { until } from '../support/until.js';
import { freePort } from '../support/http/free-port.js';

describe('the keys command on the embedded database', () => {
  const folder = scratchFolder();
  const env = { DATA_DIR: join(folder, 'data') };
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** The key printed by `create` or `rotate`, which must print nothing else. */
  async function keyOf(...args: string[]): Promise<string> {
    const { status, stdout } = await keysCommand(env, ...args);
    expect([status, stdout.endsWith('\n'), isKeyText(stdout.trimEnd())]).toEqual([0, true, true]);
    return stdout.trimEnd();
  }

  const ids = async () => {
    const { stdout } = await keysCommand(env, 'list');
    return stdout
      .trimEnd()
      .split('\n')
      .map((text) => (JSON.parse(text) as { id: string }).id);
  };

  it('refuses a folder without a database, and creates nothing', async () => {
    const { status, stdout, stderr } = await keysCommand(env, 'create', '--label', 'lost', '--scope', 'read-write');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `keys: There is no database in ${env.DATA_DIR}: start the service first, or set DATA_DIR or DATABASE_URL as it has them.\n`,
    );
    expect(existsSync(env.DATA_DIR)).toBe(false);
  });

  it('works after the service has stopped, and beside it', async () => {
    const first = loadConfig({ ...env, PORT: String(await freePort()), DRAIN_DELAY: '0' });
    await (await createServer(first, [], { logger: createLogger('silent') })).close();
    const early = await keyOf('create', '--label', 'early', '--scope', 'read-write');
    const loaded = loadConfig({ ...env, PORT: String(await freePort()), DRAIN_DELAY: '0' });
    const server = await createServer(loaded, [], { logger: createLogger('silent') });
    try {
      const status = async (key: string) => (await new Client(server.baseUrl, key).rest('GET', '/workflows')).status;
      expect(await status(early)).toBe(200);

      const beside = await keyOf('create', '--label', 'beside', '--scope', 'read-only');
      expect(await status(beside)).toBe(200);
      const [newest, oldest] = await ids();
      const rotated = await keyOf('rotate', newest!, '--overlap', '0h');
      await until(async () => (await status(beside)) === 401);
      expect(await status(rotated)).toBe(200);
      const revoked = await keysCommand(env, 'revoke', oldest!);
      expect([revoked.status, revoked.stdout]).toEqual([0, '']);
      await until(async () => (await status(early)) === 401);
      expect(await status(rotated)).toBe(200);
    } finally {
      await server.close();
    }
  });
});
