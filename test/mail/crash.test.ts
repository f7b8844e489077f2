import { freePort } from '../support/http/free-port.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';
import { MailWorld } from './mail-world.js';

describe('processes of the service that send mails', () => {
  let world: MailWorld;
  const processes: ServiceProcess[] = [];
  beforeEach(async () => void (world = await MailWorld.open()));
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.kill()));
    await world.close();
  });

  async function start(): Promise<ServiceProcess> {
    const process = await ServiceProcess.start({
      PORT: String(await freePort()),
      DATABASE_URL: world.server.database.url,
      ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
      SMTP_URL: world.office.url,
      MAIL_FROM: 'flows@sender.test',
      ROLES: 'worker',
    });
    processes.push(process);
    return process;
  }

  const ids = () => world.office.arrived.map(({ headers }) => headers['message-id']);

  it('repeat a mail once, with the same Message-ID, after kill -9 between its arrival and the answer', async () => {
    const process = await start();
    world.office.onArrival = () => new Promise(() => undefined);
    const key = await world.mail();
    await until(() => world.office.arrived.length === 1);
    await process.kill();
    world.office.onArrival = () => undefined;
    const sender = world.sender();
    await sender.sendDue();
    expect(await world.row(key)).toMatchObject({ status: 'queued', attempts: 1 });
    await world.server.advance(181_000);
    await world.turn(sender);
    expect(await world.row(key)).toMatchObject({ status: 'sent', attempts: 2, lost: 1 });
    expect([ids().length, new Set(ids()).size]).toEqual([2, 1]);
  });

  it('send each mail once, as a pair', async () => {
    await Promise.all([start(), start()]);
    const keys = await Promise.all(Array.from({ length: 60 }, () => world.mail()));
    await until(
      async () => (await world.server.db.query(`SELECT 1 FROM mails WHERE status = 'sent'`)).length === keys.length,
    );
    expect(world.office.arrived.map(({ subject }) => subject).sort()).toEqual(keys.sort());
  });
});
