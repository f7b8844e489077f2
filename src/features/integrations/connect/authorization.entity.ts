import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type IntegrationStatus } from '../changes/integration-status.js';

/** An open OAuth flow. An integration has at most one. Deleting the row ends the flow. */
@Entity('authorizations')
export class Authorization {
  @PrimaryColumn('uuid', { name: 'id' })
  uuid: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('uuid', { name: 'integration_id' })
  integrationId: string;

  /** SHA-256 of `state` (RFC 6749, 10.12). */
  @Column('bytea', { name: 'state_digest' })
  stateDigest: Buffer;

  /** SHA-256 of the ticket in the start page's URL. */
  @Column('bytea', { name: 'ticket_digest' })
  ticketDigest: Buffer;

  /** Sealed JSON: `state` and `code_verifier` (RFC 7636, 4.1). */
  @Column('text')
  secrets: string;

  /** SHA-256 of the cookie of the browser that the flow is bound to; null if it did not begin on the start page. */
  @Column('bytea', { name: 'browser_digest', nullable: true })
  browserDigest: Buffer | null;

  @Column('text', { name: 'return_url', nullable: true })
  returnUrl: string | null;

  /** The status to restore if the flow fails. */
  @Column('text', { name: 'resume_status' })
  resumeStatus: Exclude<IntegrationStatus, 'pending'>;

  /** How many runs in a row led to it; recorded with its end, too. */
  @Column('integer', { default: 0 })
  hops: number;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  expiresAt: Date;

  /** When a callback consumed the state. A state can be consumed only once. */
  @Column('timestamp with time zone', { name: 'consumed_at', precision: 3, nullable: true })
  consumedAt: Date | null;

  /** The callback that has consumed it. */
  @Column('uuid', { name: 'consumed_by', nullable: true })
  consumedBy: string | null;
}
