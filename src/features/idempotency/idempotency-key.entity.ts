import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A request that was sent with an `Idempotency-Key`, and its answer once there is one. Kept for 24 hours. */
@Entity('idempotency_keys')
export class IdempotencyKey {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  /** SHA-256 of key and path; of a connect session's id too where one asks. */
  @PrimaryColumn('bytea')
  digest: Buffer;

  /** SHA-256 of the body's bytes: the same key with another body is a mistake. */
  @Column('bytea', { name: 'body_digest' })
  bodyDigest: Buffer;

  /** Whose request it is: who took the key over after 60 s has another. */
  @Column('uuid', { name: 'claim_id' })
  claimId: string;

  @Column('timestamp with time zone', { name: 'claimed_at', precision: 3 })
  claimedAt: Date;

  /** The HTTP status; null while the request is in flight. */
  @Column('smallint', { nullable: true })
  status: number | null;

  /** Sealed JSON. */
  @Column('text', { nullable: true })
  answer: string | null;
}
