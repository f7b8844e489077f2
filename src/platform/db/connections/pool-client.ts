import pg from 'pg';

/**
 * pg reports a lost connection by an `error` event, which ends the process without a listener. The pool and TypeORM
 * remove their listeners while a connection changes hands. The next statement on the connection reports the error.
 */
export class PoolClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
