import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The permission of a browser to make one connection until the session expires, by the token or the page's ticket. */
@Entity('connect_sessions')
export class ConnectSession {
  @PrimaryColumn('uuid', { name: 'id' })
  uuid: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  /** SHA-256 of the token. */
  @Column('bytea')
  digest: Buffer;

  /** SHA-256 of the ticket in the page's URL. The ticket is not the token, because URLs end up in logs. */
  @Column('bytea', { name: 'ticket_digest' })
  ticketDigest: Buffer;

  /** The integration type; null if the browser chooses. */
  @Column('text', { nullable: true })
  type: string | null;

  /** The integration to reconnect; null for a session that creates one. */
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
