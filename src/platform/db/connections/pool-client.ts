import { type Socket } from 'node:net';
import pg from 'pg';

/** Fields of pg's client that its types do not have. */
interface Inside {
  _handleDataRow: (row: unknown) => void;
  _activeQuery: { readonly _canceledDueToError: unknown; handleError(error: unknown, connection: object): void } | null;
  readonly connection: { readonly stream: Socket };
}

/**
 * pg reports a lost connection by an `error` event, which ends the process without a listener. The pool and TypeORM
 * remove their listeners while a connection changes hands. The next statement on the connection reports the error.
 *
 * pg receives all rows of a statement of which one cannot be read, e.g. because it is too much for its response. This
 * client closes the connection instead: that ends the statement, and the rest is not sent.
 */
export class PoolClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
    const inside = this as unknown as Inside;
    const receive = inside._handleDataRow.bind(this);
    inside._handleDataRow = (row) => {
      const { _activeQuery: query, connection } = inside;
      if (connection.stream.destroyed) return;
      receive(row);
      if (!query?._canceledDueToError) return;
      connection.stream.destroy();
      // It reports its own error, before that of the closed connection.
      query.handleError(undefined, connection);
    };
  }
}
