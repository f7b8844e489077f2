import 'reflect-metadata';
import { mkdtempSync, chmodSync } from 'node:fs';
const { startEmbedded } = await import('../src/db/embedded/embedded-postgres.ts');
const { createServer } = await import('../src/server.ts');
const { loadConfig } = await import('../src/config/config.ts');
const { startTcpProxy } = await import('../test/support/tcp-proxy.ts');
const { createLogger } = await import('../src/logger.ts');
const { AccountService } = await import('../src/accounts/account.service.ts');
const { systemClock } = await import('../src/clock.ts');
const dir = mkdtempSync('/tmp/tdb-'); chmodSync(dir, 0o711);
const db = await startEmbedded({ dataDir: dir, log: console.error });
const proxy = await startTcpProxy(db.url);
const logs: string[] = [];
const server = await createServer(loadConfig({ PORT: '4777', DATABASE_URL: proxy.url, ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'), RATE_LIMITS: 'off', DRAIN_DELAY: '0' }), [], { logger: createLogger('info', { write: (l: string) => void logs.push(l) }) });
const acc = await new AccountService(server.db, systemClock).findOrCreate(server.db, 'a');
const key = (await server.apiKeys.create(acc, { label: 't', scope: 'read-write' })).secret;
const counts: Record<string, number> = {};
for (let round = 0; round < 8; round += 1) {
  let stop = false;
  const workers = Array.from({ length: 40 }, async (_, i) => {
    while (!stop) {
      const r = await fetch('http://localhost:4777/v1/workflows', { method: 'POST', body: '{"name":"x"}', headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...(i % 2 ? { 'idempotency-key': String(Math.random()) } : {}) } });
      const b: any = await r.json();
      const k = `${i % 2 ? 'i' : 'p'}${r.status} ${b.code ?? ''}`;
      counts[k] = (counts[k] ?? 0) + 1;
    }
  });
  await new Promise((r) => setTimeout(r, 300)); proxy.cut();
  await new Promise((r) => setTimeout(r, 200)); proxy.restore();
  await new Promise((r) => setTimeout(r, 300)); stop = true;
  await Promise.all(workers);
}
console.log(counts, [...new Set(logs.filter((l) => l.includes('request failed')).map((l) => JSON.parse(l).error + JSON.parse(l).stack))].slice(0, 3));
await server.close(); await proxy.close(); await db.stop(); process.exit(0);
