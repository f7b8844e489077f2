import { type AuthKind, type IntegrationStatus } from '../graphql/enums.generated.js';

/** The fields needed to reconnect a connection. */
export interface Reconnectable {
  id: string;
  name: string;
  type: string;
  status: IntegrationStatus;
  account: { externalId: string; name: string | null } | null;
  integrationType: { name: string; auth: AuthKind; configured: boolean; documentationUrl: string | null } | null;
}

/** A connection to reconnect, with its application. */
export interface Reconnecting {
  integration: Reconnectable;
  app: { type: string; name: string; documentationUrl: string | null };
}
