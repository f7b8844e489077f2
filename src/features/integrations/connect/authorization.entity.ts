import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type IntegrationStatus } from '../changes/integration-status.js';

/** An OAuth flow that waits for its callback. An integration has one at most; who deletes the row ends the flow. */
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

  /** SHA-256 of the token in the start page's address. */
  @Column('bytea', { name: 'ticket_digest' })
  ticketDigest: Buffer;

  /** Sealed JSON: `state` and `code_verifier` (RFC 7636, 4.1). */
  @Column('text')
  secrets: string;

  /** SHA-256 of the cookie of the browser that the flow is tied to; null when it was started without the start page. */
  @Column('bytea', { name: 'browser_digest', nullable: true })
  browserDigest: Buffer | null;

  @Column('text', { name: 'return_url', nullable: true })
  returnUrl: string | null;

  /** What the integration goes back to when the flow fails. */
  @Column('text', { name: 'resume_status' })
  resumeStatus: Exclude<IntegrationStatus, 'pending'>;

  /** How many of our own runs in a row led to it: those of its end too, whenever that comes. */
  @Column('integer', { default: 0 })
  hops: number;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  expiresAt: Date;

  /** When a callback took the state: from then on nobody else can. */
  @Column('timestamp with time zone', { name: 'consumed_at', precision: 3, nullable: true })
  consumedAt: Date | null;
}
