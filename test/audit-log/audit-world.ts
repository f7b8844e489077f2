import { toPublicId } from '../../src/platform/ids/ids.js';
import { makeThings, type Things } from '../rest/openapi/sample-requests.js';
import { Client } from '../support/http/client.js';
import { makeUser, type SignedIn, signedIn } from '../support/worlds/people.js';
import { startTestServer, type TestServer } from '../support/server.js';

/** The service with a person and a key of one account. */
export class AuditWorld {
  private constructor(
    readonly server: TestServer,
    readonly person: SignedIn,
    readonly writer: Client,
  ) {}

  static async open(env: Record<string, string> = {}): Promise<AuditWorld> {
    const server = await startTestServer({ env: { ROLES: 'api', ALLOW_PRIVATE_NETWORK: 'true', ...env } });
    return new AuditWorld(server, await signedIn(server), new Client(server.baseUrl, await server.key()));
  }

  close(): Promise<void> {
    return this.server.close();
  }

  /** The entries of the account, newest first. */
  async entries(query = ''): Promise<any[]> {
    return (await this.person.client.rest('GET', `/audit_log?per_page=100${query}`)).body.data;
  }

  /** The actions that `work` wrote, in order. */
  async actionsOf(work: () => Promise<unknown>): Promise<string[]> {
    const [last] = await this.server.db.query<{ id: string }>(`SELECT id FROM audit_log ORDER BY id DESC LIMIT 1`);
    await work();
    const rows = await this.server.db.query<{ action: string }>(
      `SELECT action FROM audit_log WHERE $1::uuid IS NULL OR id > $1 ORDER BY id`,
      [last?.id ?? null],
    );
    return rows.map(({ action }) => action);
  }

  /** One thing of each kind, also those that only persons make. */
  async things(): Promise<Things & Record<'apiKey' | 'user' | 'invitation', string>> {
    const { body } = await this.person.client.graphql(
      'mutation ($email: String!) { createApiKey(input: { label: "x", scope: READ_ONLY }) { apiKey { id } } inviteUser(email: $email) { id } }',
      { email: `invited${performance.now()}@people.example` },
    );
    const [user] = await this.server.db.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [
      await makeUser(this.server),
    ]);
    return {
      ...(await makeThings(this.writer, this.server.db)),
      apiKey: body.data.createApiKey.apiKey.id as string,
      invitation: body.data.inviteUser.id as string,
      user: toPublicId('usr', user!.id),
    };
  }
}
