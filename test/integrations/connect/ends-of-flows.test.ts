import {
  checkTransition,
  IntegrationStatus,
  type StatusReason,
  STATUS_REASONS,
} from '../../../src/features/integrations/changes/integration-status.js';
import { fromPublicId } from '../../../src/platform/ids/ids.js';
import { until } from '../../support/until.js';
import { IntegrationWorld, type Started } from '../world.js';

/** Whether a change with the reason ends the open flow. A new reason must be added here. */
const ENDS_FLOW: Record<StatusReason, boolean> = {
  awaiting_authorization: false,
  access_denied: true,
  authorization_timed_out: true,
  exchange_failed: true,
  verification_failed: true,
  account_mismatch: true,
  superseded: true,
  token_expired: false,
  refresh_refused: false,
  key_refused: false,
  disconnected_by_user: true,
  connected: true,
  reconnected: true,
  deleted: true,
};
const STATUSES = Object.values(IntegrationStatus);
const ENDS = Object.keys(STATUS_REASONS).filter((reason) => ENDS_FLOW[reason as StatusReason]) as StatusReason[];
describe('the transitions', () => {
  // An integration that was never connected is pending during its flow.
  const cases = STATUSES.flatMap((status) => ENDS.map((reason) => [status, reason] as const)).filter(
    ([status, reason]) => reason !== 'connected' || status === 'pending',
  );
  it.each(cases)('of an integration that is %s allow the end of its flow by %s', (status, reason) => {
    const restored = status === 'pending' ? STATUSES.filter((resumed) => resumed !== 'pending') : [status];
    const changed: Partial<Record<StatusReason, IntegrationStatus[]>> = {
      superseded: [status],
      disconnected_by_user: ['disconnected'],
      deleted: ['disconnected'],
      connected: ['connected'],
      reconnected: ['connected'],
    };
    for (const to of changed[reason] ?? restored) expect(() => checkTransition(status, to, reason)).not.toThrow();
  });
});

describe('a flow', () => {
  let world: IntegrationWorld;
  const type = 'two_way_app';
  const key = { credentials: { api_key: 'good-alice' } };

  beforeAll(async () => {
    world = await IntegrationWorld.open({ env: { ALLOW_PRIVATE_NETWORK: 'true' } });
  });
  beforeEach(() => world.provider.reset());
  afterAll(() => world.close());

  const byKey = async () => (await world.post('/integrations/connect', { type, ...key })).body.id as string;
  const callback = (flow: Started, query: Record<string, string>) =>
    world.callback({ state: flow.state, ...query }, { type });
  /** A call after which the application has refused the credentials, also their renewal. */
  const refused = async (id: string): Promise<void> => {
    world.provider.onVerify = world.provider.onCall = world.provider.onIdentity = () => ({ status: 401 });
    world.provider.onToken = () => ({ status: 400, body: { error: 'invalid_grant' } });
    await world.post(`/integrations/${id}/call`, { path: '/api/x' });
    world.provider.reset();
  };
  const isOpen = async (id: string) =>
    (await world.client.graphql('query ($id: ID!) { integration(id: $id) { flowOpen } }', { id })).body.data.integration
      .flowOpen as boolean;

  /** An integration in each status that has an open flow, by how it got there. */
  const WITH_FLOW: Record<string, { status: IntegrationStatus; open: () => Promise<Started> }> = {
    'a new integration': { status: 'pending', open: () => world.start(type) },
    'a disconnected integration': {
      status: 'pending',
      open: async () => {
        const id = await world.connected('alice', type);
        await world.post(`/integrations/${id}/disconnect`);
        return world.restart(id);
      },
    },
    'a connected integration': {
      status: 'connected',
      open: async () => world.restart(await world.connected('alice', type)),
    },
    'an integration connected by key': { status: 'connected', open: async () => world.restart(await byKey()) },
    'an integration that expires during the flow': {
      status: 'expired',
      open: async () => {
        const flow = await world.restart(await world.connected('alice', type));
        await refused(flow.id);
        return flow;
      },
    },
    'an integration whose key is refused during the flow': {
      status: 'disconnected',
      open: async () => {
        const flow = await world.restart(await byKey());
        await refused(flow.id);
        return flow;
      },
    },
  };

  const age = (column: string, { id }: Started) =>
    world.server.db.query(
      `UPDATE authorizations SET ${column} = clock_now() - interval '1 h' WHERE integration_id = $1`,
      [fromPublicId('int', id)],
    );
  /** Each end of a flow, with the reasons that it may record. */
  const BY: Record<string, { reasons: StatusReason[]; end: (flow: Started) => Promise<unknown> }> = {
    'the denial of access': {
      reasons: ['access_denied'],
      end: (flow) => callback(flow, { error: 'access_denied' }),
    },
    'a failed exchange': { reasons: ['exchange_failed'], end: (flow) => callback(flow, { code: '' }) },
    'an account that is not named': {
      reasons: ['verification_failed'],
      end: (flow) => {
        world.provider.onToken = () => ({ body: { access_token: 'nobody', token_type: 'bearer' } });
        return callback(flow, { code: 'alice' });
      },
    },
    'another account': {
      reasons: ['account_mismatch', 'connected'],
      end: (flow) => callback(flow, { code: 'mallory' }),
    },
    'the end of its time': { reasons: ['authorization_timed_out'], end: (flow) => age('expires_at', flow) },
    'the death of its process': { reasons: ['exchange_failed'], end: (flow) => age('consumed_at', flow) },
    'another flow': { reasons: ['superseded'], end: ({ id }) => world.restart(id) },
    'the grant of access': {
      reasons: ['connected', 'reconnected'],
      end: (flow) => callback(flow, { code: 'alice' }),
    },
    'an API key': {
      reasons: ['connected', 'reconnected'],
      end: ({ id }) => world.post(`/integrations/${id}/reconnect`, key),
    },
    'its disconnection': {
      reasons: ['disconnected_by_user'],
      end: ({ id }) => world.post(`/integrations/${id}/disconnect`),
    },
  };
  const reached = Object.entries(WITH_FLOW).flatMap(([of, { status, open }]) =>
    Object.entries(BY).map(([by, { reasons, end }]) => ({ of, by, status, open, reasons, end })),
  );

  it('is tried in each status and with each end', () => {
    expect(new Set(Object.values(WITH_FLOW).map(({ status }) => status))).toEqual(new Set(STATUSES));
    const tried = new Set(Object.values(BY).flatMap(({ reasons }) => reasons));
    expect(ENDS.filter((reason) => !tried.has(reason))).toEqual(['deleted']);
  });

  it.each(reached)('of $of is ended by $by, with a change', async ({ status, open, reasons, end }) => {
    const flow = await open();
    const before = await world.get(flow.id);
    expect([before.status, await isOpen(flow.id)]).toEqual([status, true]);
    await end(flow);
    const ends = async () =>
      (await world.changes(flow.id)).filter(
        ({ version, reason }) => version > before.version && ENDS_FLOW[reason as StatusReason],
      );
    await until(async () => (await ends()).length > 0);
    const [change, ...more] = await ends();
    expect([reasons, more]).toEqual([expect.arrayContaining([change!.reason]), []]);
    expect(await isOpen(flow.id)).toBe(change!.reason === 'superseded');
  });

  it.each(Object.entries(WITH_FLOW))('of %s ends with its deletion', async (_, { open }) => {
    const flow = await open();
    expect((await world.client.rest('DELETE', `/integrations/${flow.id}`)).status).toBe(204);
    const left = await world.server.db.query('SELECT 1 FROM authorizations WHERE integration_id = $1', [
      fromPublicId('int', flow.id),
    ]);
    expect(left).toEqual([]);
    expect((await callback(flow, { code: 'alice' })).status).toBe(400);
  });
});
