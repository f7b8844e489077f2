import { serverAudits } from 'graphql-http';
import { startTestServer, type TestServer } from '../support/server.js';

/** The service keeps Apollo's 400 where the draft demands 200 for clients of the older media type. */
const AGAINST_THE_CONTRACT = ['572B', 'FDE2', '7B9B'];

describe('the audits of GraphQL over HTTP', () => {
  let server: TestServer;
  let key: string;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    key = await server.key();
  });
  afterAll(() => server.close());

  const audits = serverAudits({
    url: () => `${server.baseUrl}/graphql`,
    fetchFn: (url: string, init: RequestInit = {}) => {
      const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${key}` };
      return fetch(url, { ...init, headers });
    },
  });

  it.each(audits.filter(({ id }) => !AGAINST_THE_CONTRACT.includes(id)).map((audit) => [audit.id, audit.name, audit]))(
    '%s: %s',
    async (_id, _name, audit) => {
      const result = await audit.fn();
      expect(result).toEqual({ id: audit.id, name: audit.name, status: 'ok' });
    },
  );

  it.each(audits.filter(({ id }) => AGAINST_THE_CONTRACT.includes(id)).map((audit) => [audit.id, audit.name, audit]))(
    '%s: not “%s”, but 400',
    async (_id, _name, audit) => {
      expect(await audit.fn()).toMatchObject({ status: 'warn', response: { status: 400 } });
    },
  );
});
