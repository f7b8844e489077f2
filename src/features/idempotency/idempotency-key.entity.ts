import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A request with an `Idempotency-Key`, and its response once there is one. Kept for 24 hours. */
@Entity('idempotency_keys')
export class IdempotencyKey {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  /** SHA-256 of key and path, and of the id of the person or the connect session if the caller is one. */
  @PrimaryColumn('bytea')
  digest: Buffer;

  /** SHA-256 of the body's bytes: the same key with another body is refused. */
  @Column('bytea', { name: 'body_digest' })
  bodyDigest: Buffer;

  /** Identifies the request that holds the key; a request that takes the key over after 60 s writes another id. */
  @Column('uuid', { name: 'claim_id' })
  claimId: string;

  @Column('timestamp with time zone', { name: 'claimed_at', precision: 3 })
  claimedAt: Date;

  /**
   * The HTTP status; null while the request is in flight, and 409 if it took effect with a response that was not kept.
   */
  @Column('smallint', { nullable: true })
  status: number | null;

  /** The response body, as sealed JSON. A text of its own follows behind a line feed, which that JSON never has. */
  @Column('text', { nullable: true })
  answer: string | null;

  /** The header `Link` of the response; null if it has none. */
  @Column('text', { nullable: true })
  link: string | null;
}
