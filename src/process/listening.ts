import { type Config } from '../platform/config/config.js';
import { type Logger } from '../platform/logging/logger.js';

/** Logs once that the service listens, and with which settings. */
export function logListening(logger: Logger, { baseUrl, roles, processes }: Config, dataDir: string | undefined): void {
  logger.info(
    {
      base_url: baseUrl,
      roles: [...roles],
      ...(processes > 1 && { processes }),
      ...(dataDir !== undefined && { data_dir: dataDir }),
    },
    'listening',
  );
}
