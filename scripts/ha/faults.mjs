import { setTimeout as sleep } from 'node:timers/promises';
import { broken } from './judge.ts';
import { signalAll } from './processes.mjs';

const QUIET_MS = 8_000;

/**
 * A fault with its name in the table. `strike` resolves when it is over. `promised`: the most that clients may see of the fault. Always, the
 * time without a 202 may exceed that of a plain PostgreSQL client by three seconds. `refusing`: the longest time in seconds in which each
 * request that is sent fails.
 */
function fault(name, strike, promised = {}) {
  return {
    name,
    run: async (world) => {
      await world.cluster.whole();
      const from = Date.now();
      await strike(world);
      await world.cluster.whole();
      await sleep(QUIET_MS);
      const seen = world.load.between(from, Date.now());
      const own = world.plain.gap(from, Date.now());
      const faults = broken(seen, own, promised);
      return { fault: name, ...seen, own, kept: faults.length === 0 ? 'yes' : `no: ${faults.join('; ')}` };
    },
  };
}

/** Every fault, by the name for `--faults`. */
export const FAULTS = {
  node: fault('kill -9 of the primary and its Patroni', async ({ cluster }) => {
    const n = await cluster.killPrimary({ agent: true });
    await sleep(25_000);
    cluster.startNode(n);
    await sleep(2_000);
  }),
  server: fault('kill -9 of the primary alone', async ({ cluster }) => {
    await cluster.killPrimary({ agent: false });
    await sleep(5_000);
  }),
  switchover: fault(
    'planned switchover',
    async ({ cluster }) => {
      await cluster.switchover();
      await sleep(3_000);
    },
    { refusing: 3 },
  ),
  freeze: fault("the primary's node frozen for 45 s", async ({ cluster }) => {
    const thaw = await cluster.freezePrimary();
    await sleep(45_000);
    thaw();
    await sleep(5_000);
  }),
  network: fault('network to the database black-holed for 20 s', async ({ cluster }) => {
    // A frozen proxy accepts connections and passes nothing on.
    signalAll([cluster.haproxy.pid], 'SIGSTOP');
    await sleep(20_000);
    signalAll([cluster.haproxy.pid], 'SIGCONT');
    await sleep(2_000);
  }),
  restart: fault(
    'rolling restart of the service',
    async ({ product }) => {
      for (const name of Object.keys(product.ports)) {
        await product.stop(name);
        await product.start(name);
      }
    },
    { refused: 0 },
  ),
};

/** The faults of the long form. */
export const LONG = [
  ...Array(10).fill('node'),
  ...Array(3).fill('server'),
  'freeze',
  'switchover',
  'network',
  'restart',
];
