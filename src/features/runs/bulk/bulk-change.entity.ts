import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BulkOperation } from './bulk-operation.entity.js';
import { type BulkKind, type BulkStatus } from './bulk-status.js';

/** The state of a bulk operation after one of its batches. The row is written in the transaction of the batch, and never updated. */
@Entity('bulk_changes')
export class BulkChange {
  @PrimaryColumn('uuid', { name: 'id' })
  uuid: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('uuid', { name: 'bulk_id' })
  bulkUuid: string;

  /** The number of the change in the account: without gaps, in the order of commits. */
  @Column('bigint')
  position: number;

  @Column('text')
  kind: BulkKind;

  @Column('text')
  status: BulkStatus;

  @Column('integer')
  matched: number;

  @Column('integer')
  done: number;

  @Column('integer')
  failed: number;

  /** When the operation was requested. */
  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column('timestamp with time zone', { precision: 3 })
  at: Date;

  /** The operation as it was after the change. */
  get operation(): BulkOperation {
    const { accountId, kind, status, matched, done, failed, createdAt } = this;
    return Object.assign(new BulkOperation(), {
      uuid: this.bulkUuid,
      ...{ accountId, kind, status, matched, done, failed, createdAt },
    });
  }
}
