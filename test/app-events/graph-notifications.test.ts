import { EventWorld, type Source } from './event-world.js';

let world: EventWorld;
let source: Source;
beforeAll(async () => {
  world = await EventWorld.open();
  source = await world.connectCatalog('microsoft_outlook');
});
afterEach(() => world.server.db.query('DELETE FROM triggers'));
afterAll(() => world.close());

/** As in https://learn.microsoft.com/en-us/graph/change-notifications-delivery-webhooks */
const notification = (more: object = {}) => ({
  id: 'lsgTZMr9KwAAA',
  subscriptionId: '76222963-cc7b-42d2-882d-8aaa69cb2ba3',
  subscriptionExpirationDateTime: '2026-12-01T00:00:00Z',
  clientState: source.secret,
  changeType: 'created',
  resource: 'Users/{user}/Messages/{message}',
  tenantId: '84bd8158-6d4d-4958-8b9f-9d6445542f95',
  resourceData: { '@odata.type': '#Microsoft.Graph.Message', id: 'AAMkAGE1' },
  ...more,
});
const tagged = (resource: string, etag: string) => notification({ resource, resourceData: { '@odata.etag': etag } });
const trigger = (event = 'created') => world.trigger({ event, integration_id: source.id });
const post = (...value: object[]) => world.post(source, { value });
const inputsOf = async (runIds: readonly string[]) => {
  const runs = await Promise.all(runIds.map((id) => world.run(id)));
  return runs.map(({ input }) => input);
};

describe('notifications of Microsoft Graph', () => {
  it('fire separately, as if each had been posted alone, without the clientState', async () => {
    const [created, updated] = [await trigger(), await trigger('updated')];
    const { status, body } = await post(
      notification({ resource: 'one' }),
      notification({ resource: 'two', changeType: 'updated' }),
      notification({ resource: 'three' }),
    );
    expect([status, body.run_ids!.length]).toEqual([202, 3]);
    expect([await world.count(created), await world.count(updated)]).toEqual([2, 1]);
    const inputs = await inputsOf(body.run_ids!);
    expect(
      inputs
        .map(({ value }) => value.map(({ resource }: any) => resource))
        .flat()
        .sort(),
    ).toEqual(['one', 'three', 'two']);
    const { clientState: _, ...alone } = notification({ resource: 'three' });
    expect(inputs).toContainEqual({ value: [alone] });
  });

  it('are filtered separately', async () => {
    const filtered = await world.trigger({
      event: 'created',
      integration_id: source.id,
      filter: { 'value.0.resource': 'two' },
    });
    const { body } = await post(notification({ resource: 'one' }), notification({ resource: 'two' }));
    expect([body.run_ids!.length, await world.count(filtered)]).toEqual([1, 1]);
  });

  it('keep the other fields of a post with a single notification', async () => {
    await trigger();
    const { body } = await world.post(source, { value: [notification()], validationTokens: ['eyJ'] });
    expect((await inputsOf(body.run_ids!))[0]).toMatchObject({
      validationTokens: ['eyJ'],
      value: [{ changeType: 'created' }],
    });
  });

  it.each([
    ['another', { clientState: 'secretClientValue' }],
    ['none', { clientState: undefined }],
    ['one that is no text', { clientState: { a: 1 } }],
  ])('with %s clientState are dropped', async (_, wrong) => {
    const created = await trigger();
    const { status, body } = await post(notification(wrong), notification());
    expect([status, body.run_ids!.length, await world.count(created)]).toEqual([202, 1, 1]);
    expect(await post(notification(wrong), notification(wrong))).toMatchObject({
      status: 401,
      body: { code: 'unauthorized' },
    });
  });

  it.each([[{}], [{ value: [] }], [{ value: 'created' }], ['null'], [{ value: [null, 1, 'x'] }]])(
    'are demanded: %j is refused',
    async (body) => {
      expect((await world.post(source, body)).status).toBe(401);
    },
  );

  it('about the subscription itself fire nothing', async () => {
    const created = await trigger();
    const { clientState, subscriptionId } = notification();
    for (const lifecycleEvent of ['reauthorizationRequired', 'subscriptionRemoved', 'missed']) {
      const answer = await post({ clientState, subscriptionId, lifecycleEvent, changeType: 'created' });
      expect([answer.status, answer.body.run_ids]).toEqual([202, []]);
    }
    expect(await world.count(created)).toBe(0);
  });

  it('fire once with one etag, and each time without', async () => {
    const created = await trigger();
    const first = await post(tagged('one', 'W/"1"'), tagged('two', 'W/"1"'));
    const again = await post(tagged('two', 'W/"1"'), tagged('one', 'W/"1"'), tagged('one', 'W/"2"'));
    expect([first.body.run_ids!.length, again.body.run_ids!.length, await world.count(created)]).toEqual([2, 3, 3]);
    expect(again.body.run_ids).toEqual(expect.arrayContaining(first.body.run_ids!));
    const twice = await post(tagged('three', 'W/"1"'), tagged('three', 'W/"1"'));
    expect([twice.body.run_ids!.length, await world.count(created)]).toEqual([1, 4]);
    for (let count = 0; count < 2; count += 1) await post(notification(), notification());
    expect(await world.count(created)).toBe(8);
  });

  it('are at most 1,000 in a post', async () => {
    const many = (count: number) => Array.from({ length: count }, () => notification());
    expect((await post(...many(1_000))).status).toBe(202);
    expect(await post(...many(1_001))).toMatchObject({ status: 400, body: { details: [{ field: 'value' }] } });
  });

  it('accept the secret that was set as their clientState', async () => {
    const own = await world.connectCatalog('microsoft_teams');
    await world.trigger({ event: 'updated', integration_id: own.id });
    await world.update(own, { events_secret: 'the secret of a subscription made before' });
    const changed = (clientState: string | null) => ({ value: [notification({ changeType: 'updated', clientState })] });
    expect((await world.post(own, changed(own.secret))).status).toBe(401);
    const { body } = await world.post(own, changed('the secret of a subscription made before'));
    expect(body.run_ids).toHaveLength(1);
  });
});
