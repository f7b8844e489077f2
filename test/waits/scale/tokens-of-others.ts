import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiCall } from '../../integrations/scripted-provider.js';
import { IntegrationWorld, stateOf } from '../../integrations/world.js';
import { aFewAtATime } from '../../support/a-few-at-a-time.js';
import { Client } from '../../support/http/client.js';
import { until } from '../../support/until.js';

/** The application without an identity does not notice another account, so its connections can change hands. */
const TYPES = ['oauth_app', 'bare_app'] as const;
/** The longest time that a renewal takes, in milliseconds: a connection can change hands in between. */
const RENEWAL_MS = 200;
/** End users, spelled so that a careless comparison takes one for the other. */
const REFERENCES = ['7', '07', 'Ada', 'ada', 'ada ', 'é', 'e\u0301', '%'] as const;

/** The owner of a connection. The code of each flow names its owner, and the provider repeats it in each token. */
interface Owner {
  account: number;
  type: (typeof TYPES)[number];
  reference: (typeof REFERENCES)[number];
}
const FIRST: Owner = { account: 0, type: 'bare_app', reference: '7' };
const codeOf = ({ account, type, reference }: Owner) => `${account}.${type}.${REFERENCES.indexOf(reference)}`;
const isOf = (owner: Owner) => (token: string) => token.startsWith(`at-${codeOf(owner)}-`);

const owner = {
  account: fc.nat(1),
  type: fc.constantFrom(...TYPES),
  reference: fc.constantFrom(...REFERENCES),
};
/** A step names its end user by a field of the trigger, or as a literal. */
interface Step {
  type: Owner['type'];
  user: 'a' | 'b' | { literal: Owner['reference'] };
  isPatient: boolean;
}
const step: fc.Arbitrary<Step> = fc.record({
  type: owner.type,
  user: fc.oneof(fc.constantFrom('a' as const, 'b' as const), fc.record({ literal: owner.reference })),
  isPatient: fc.boolean(),
});
const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('fire' as const), ...owner, other: owner.reference }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('connect' as const, 'expire' as const), ...owner }) },
  fc.record({ kind: fc.constant('call' as const), ...owner }),
  fc.record({ kind: fc.constantFrom('disconnect' as const, 'reconnect' as const), which: fc.nat(50) }),
  fc.record({ kind: fc.constant('relabel' as const), which: fc.nat(50), reference: owner.reference }),
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;
type Change = Extract<Command, { which: number }>;

/** A connection that was made. Its changes take turns, so that the test knows its owner. */
interface Known {
  id: string;
  owner: Owner;
  turn: Promise<void>;
}

/** A fired run: the owners of its steps, in order. */
type Fired = Map<string, Owner[]>;

class Users {
  private readonly known: Known[] = [];

  private constructor(
    readonly world: IntegrationWorld,
    readonly clients: readonly Client[],
  ) {}

  static async open(): Promise<Users> {
    const world = await IntegrationWorld.open({ env: { ALLOW_PRIVATE_NETWORK: 'true', RATE_LIMITS: 'off' } });
    const { provider } = world;
    provider.onToken = async ({ form }) => {
      if (form.get('grant_type') === 'refresh_token') await sleep(Math.random() * RENEWAL_MS);
      return provider.issue(form);
    };
    const other = new Client(world.server.baseUrl, await world.server.key('read-write', 'other'));
    return new Users(world, [world.client, other]);
  }

  /** An active workflow in each account. @returns the paths of their hooks. */
  async hooks(steps: readonly Step[]): Promise<string[]> {
    const actions = steps.map(({ type, user, isPatient }, index) => ({
      name: `s${index}`,
      kind: 'app_request',
      config: {
        connection: { type, reference: typeof user === 'string' ? `{{ trigger.body.${user} }}` : user.literal },
        method: 'GET',
        path: '/api/step',
        ...(isPatient && { if_missing: 'wait' }),
      },
    }));
    return Promise.all(
      this.clients.map(async (client) => {
        const { body } = await client.rest('POST', '/workflows', { body: { name: 'Flow', status: 'active' } });
        await client.rest('PUT', `/workflows/${body.id}/actions`, { body: { actions } });
        const trigger = await client.rest('POST', '/triggers', { body: { workflow_id: body.id, type: 'webhook' } });
        return new URL(trigger.body.webhook_url).pathname;
      }),
    );
  }

  async connect(of: Owner): Promise<void> {
    const { id, state } = await this.world.start(of.type, { reference: of.reference }, this.clients[of.account]);
    await this.world.callback({ state, code: codeOf(of) }, { type: of.type });
    this.known.push({ id, owner: of, turn: Promise.resolve() });
  }

  /** Disconnects a connection that was made, reconnects it, or gives it to the end user `reference`. */
  async change(one: Change): Promise<void> {
    const found = this.known[one.which % Math.max(this.known.length, 1)];
    if (found === undefined) return;
    found.turn = found.turn.then(() =>
      one.kind === 'relabel' ? this.relabel(found, one.reference) : this.changeStatus(found, one.kind),
    );
    await found.turn;
  }

  async call(of: Owner): Promise<void> {
    const { account, type, reference } = of;
    const body = { connection: { type, reference }, path: `/api/call/${codeOf(of)}` };
    await this.clients[account]!.rest('POST', '/integrations/call', { body });
  }

  private async changeStatus({ id, owner }: Known, kind: 'disconnect' | 'reconnect'): Promise<void> {
    const { status, body } = await this.clients[owner.account]!.rest('POST', `/integrations/${id}/${kind}`);
    if (kind === 'disconnect' || status !== 200) return;
    const state = stateOf(body.redirect_url as string);
    await this.world.callback({ state, code: codeOf(owner) }, { type: owner.type });
  }

  /** The connection of one end user becomes that of another, while a call of the first renews its token. */
  private async relabel(found: Known, reference: Owner['reference']): Promise<void> {
    const { id, owner: before } = found;
    if (before.type !== 'bare_app') return;
    this.world.provider.endAccess(codeOf(before));
    const called = this.call(before);
    await this.changeStatus(found, 'disconnect');
    const { status } = await this.clients[before.account]!.rest('PUT', `/integrations/${id}`, { body: { reference } });
    if (status !== 200) throw new Error(`The reference was not changed: ${status}`);
    found.owner = { ...before, reference };
    await this.changeStatus(found, 'reconnect');
    await called;
  }
}

/** Registers the test with so many random workflows. */
export function useOwnTokens(workflows: number): void {
  describe('calls for many end users at once', () => {
    let users: Users;
    beforeAll(async () => {
      users = await Users.open();
    });
    afterAll(() => users.world.close());

    async function take(one: Command, steps: readonly Step[], hooks: readonly string[], fired: Fired): Promise<void> {
      const { world, clients } = users;
      if ('which' in one) return users.change(one);
      const { account, reference } = one;
      const client = clients[account]!;
      switch (one.kind) {
        case 'connect':
          return users.connect(one);
        case 'expire':
          return world.provider.endAccess(codeOf(one));
        case 'call':
          return users.call(one);
        case 'fire': {
          const body = JSON.stringify({ a: reference, b: one.other });
          const { body: accepted } = await client.send('POST', hooks[account]!, { body });
          const named = { a: reference, b: one.other };
          const owners = steps.map((each): Owner => {
            const { user } = each;
            return { account, type: each.type, reference: typeof user === 'string' ? named[user] : user.literal };
          });
          fired.set(accepted.run_id as string, owners);
        }
      }
    }

    /** Connects what runs wait for, until all have ended. */
    async function finish(): Promise<void> {
      const open = async () => users.world.server.db.query(`SELECT 1 FROM runs WHERE finished_at IS NULL LIMIT 1`);
      await until(async () => {
        for (const [account, client] of users.clients.entries()) {
          const { body } = await client.rest('GET', '/waits?status=pending&per_page=1');
          for (const { integration_type: type, reference } of body.data)
            await users.connect({ account, type, reference });
        }
        return (await open()).length === 0;
      });
    }

    const wrong = (calls: readonly ApiCall[], fired: Fired): ApiCall[] =>
      calls.filter(({ path, token, idempotencyKey: key }) => {
        if (path !== '/api/step') return !token.startsWith(`at-${path.slice('/api/call/'.length)}-`);
        const place = key!.lastIndexOf('-');
        return !isOf(fired.get(key!.slice(0, place))![Number(key!.slice(place + 1))]!)(token);
      });

    it('use the token of their own reference, type and account, and never another one', async () => {
      let count = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 1, maxLength: 4 }),
          fc.array(command, { minLength: 10, maxLength: 30 }),
          async (steps, commands) => {
            const { provider } = users.world;
            provider.calls.length = 0;
            const fired: Fired = new Map();
            const hooks = await users.hooks(steps);
            // At least one call arrives, whatever the commands are.
            await users.connect(FIRST);
            await users.call(FIRST);
            await aFewAtATime(commands, (one) => take(one, steps, hooks, fired));
            await finish();
            expect(wrong(provider.calls, fired)).toEqual([]);
            count += provider.calls.length;
          },
        ),
        // Connections stay from one sequence to the next, so a shorter one would not fail in the same way.
        { numRuns: workflows, endOnFailure: true },
      );
      expect(count).toBeGreaterThanOrEqual(workflows);
    });
  });
}
