import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What a browser may do that holds the session's token, or the ticket of its page: one connection, for a while. */
@Entity('connect_sessions')
export class ConnectSession {
  @PrimaryColumn('uuid', { name: 'id' })
  uuid: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  /** SHA-256 of the token. */
  @Column('bytea')
  digest: Buffer;

  /** SHA-256 of what stands in the page's address, which is not the token: addresses end up in logs. */
  @Column('bytea', { name: 'ticket_digest' })
  ticketDigest: Buffer;

  /** Null: the browser chooses. */
  @Column('text', { nullable: true })
  type: string | null;

  /** The integration to reconnect; null for a session that makes its own. */
  @Column('uuid', { name: 'integration_id', nullable: true })
  integrationId: string | null;

  @Column('text', { nullable: true })
  label: string | null;

  @Column('text', { nullable: true })
  reference: string | null;

  @Column('text', { name: 'return_url', nullable: true })
  returnUrl: string | null;

  @Column('json', { nullable: true })
  parameters: Record<string, unknown> | null;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
