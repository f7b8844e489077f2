import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { BodyBudget } from '../../src/platform/admission/body-budget.js';
import { LongWork } from '../../src/platform/admission/long-work.js';
import { HookStore } from '../../src/features/triggers/hooks/hook-store.js';
import { createInboundHooks } from '../../src/features/triggers/hooks/inbound-hook.router.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { OnceASecond } from '../../src/platform/logging/once-a-second.js';
import { type Trigger } from '../../src/features/triggers/trigger.entity.js';
import { TriggerWorld, uuidIn } from '../support/worlds/trigger-world.js';

export interface HookAnswer {
  status: number;
  headers: Headers;
  body: { accepted?: boolean; run_id?: string; reason?: string; code?: string; message?: string };
}

/** Notes whose bodies are parsed. */
class NotedWork extends LongWork {
  readonly lanes: string[] = [];

  override piece(lane: string, bytes: number): Promise<void> {
    this.lanes.push(lane);
    return super.piece(lane, bytes);
  }
}

/** Inbound hooks over HTTP on a real database. */
export class HookWorld {
  badSignatures = 0;
  readonly bodies = new BodyBudget();
  readonly longWork = new NotedWork();
  readonly store: HookStore;
  private readonly server: Server;
  private readonly peers: HookWorld[] = [];

  private constructor(
    readonly world: TriggerWorld,
    private readonly ownsWorld: boolean,
  ) {
    this.store = new HookStore(world.db, world.clock, world.secrets, world.queue);
    const hooks = createInboundHooks({
      store: this.store,
      refusal: () => undefined,
      spend: () => undefined,
      bodies: this.bodies,
      longWork: this.longWork,
      refusals: undefined,
      clientOf: () => 'sender',
      log: new OnceASecond(createLogger('silent')),
      onBadSignature: () => (this.badSignatures += 1),
    });
    this.server = createServer(
      (request, response) => void hooks(request, response, request.url!.split('?')[0]!.split('/').at(-1)!),
    );
  }

  static async open(): Promise<HookWorld> {
    return new HookWorld(await TriggerWorld.open(), true).listen();
  }

  /** Another process, as far as the database can tell. It is closed with this one. */
  async peer(): Promise<HookWorld> {
    this.peers.push(await new HookWorld(this.world, false).listen());
    return this.peers.at(-1)!;
  }

  private async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async close(): Promise<void> {
    await Promise.all(this.peers.map((peer) => peer.close()));
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await this.store.close();
    if (this.ownsWorld) await this.world.close();
  }

  /** The same path as the trigger's address, on this server. */
  addressOf({ webhookUrl }: Pick<Trigger, 'webhookUrl'>): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${new URL(webhookUrl!).pathname}`;
  }

  async post(
    trigger: Pick<Trigger, 'webhookUrl'>,
    body: string | Uint8Array<ArrayBuffer> = '{}',
    headers: Record<string, string> = {},
    method = 'POST',
  ): Promise<HookAnswer> {
    const bodyOf = method === 'GET' ? {} : { body };
    const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
    const response = await fetch(this.addressOf(trigger), { method, headers: { ...type, ...headers }, ...bodyOf });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: JSON.parse(text) as HookAnswer['body'] };
  }

  /** The stored row that an answer names. */
  async runOf({ body }: HookAnswer): Promise<Record<string, unknown>> {
    const [row] = await this.world.db.query(`SELECT * FROM runs WHERE id = $1`, [uuidIn('run', body.run_id!)]);
    return row!;
  }

  async runCount({ workflowId }: Trigger): Promise<number> {
    return (await this.world.workflows.get(this.world.context, workflowId)).runCount;
  }
}
