import { type Socket } from 'node:net';
import pg from 'pg';
import { PoolClient } from './pool-client.js';

const LOOK_MS = 250;
/** A cancel request that reaches no server is given up after this time, in milliseconds. */
const CANCEL_MS = 2_000;

/** Fields of pg's client that its types do not have. */
interface Inside {
  _activeQuery: object | null;
  processID: number | null;
  secretKey: number | null;
}

/**
 * A client class for a pooler, which refuses `statement_timeout` at the start of a connection: the client itself asks the
 * server to cancel a statement that runs for `limit` milliseconds. The statement then fails like one that exceeds the
 * server's limit (57014).
 */
export function cancellingClient(limit: number): typeof pg.Client {
  return class CancellingClient extends PoolClient {
    constructor(config?: pg.ClientConfig) {
      super(config);
      const timer = setInterval(this.watch(), LOOK_MS);
      timer.unref();
      this.once('end', () => clearInterval(timer));
    }

    /** One look at the connection each quarter of a second costs less than a timer for each statement. */
    private watch(): () => void {
      let seen: object | null = null;
      let since = 0;
      return () => {
        const active = (this as unknown as Inside)._activeQuery;
        if (active !== seen) [seen, since] = [active, performance.now()];
        else if (active !== null && performance.now() - since > limit - LOOK_MS) {
          since = Infinity;
          cancelStatement(this);
        }
      };
    }
  };
}

/**
 * Asks the server to cancel the statement that runs on the connection. A commit that waits for a standby ends too: its
 * transaction is committed on the primary only.
 */
export function cancelStatement(client: pg.Client): void {
  const { processID, secretKey } = client as unknown as Inside;
  if (processID !== null && secretKey !== null) sendCancel(client, processID, secretKey);
}

/** pg's connection below the client, which its types show only in part. */
interface CancelConnection extends Omit<pg.Connection, 'stream'> {
  readonly stream: Socket;
  connect(port: number | string, host?: string): void;
  cancel(processId: number, secretKey: number): void;
}

/** Sends a CancelRequest on a connection of its own, unencrypted as that of libpq: it holds no secret that outlives it. */
function sendCancel({ host, port }: pg.Client, processId: number, secretKey: number): void {
  const connection = new pg.Connection() as unknown as CancelConnection;
  // PgBouncer drops the request of a client that disconnects first, so the other side closes the connection.
  connection.once('connect', () => connection.cancel(processId, secretKey));
  connection.on('error', () => undefined);
  if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
  else connection.connect(port, host);
  connection.stream.setTimeout(CANCEL_MS, () => connection.stream.destroy());
  connection.stream.unref();
}
