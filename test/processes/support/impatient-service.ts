import { readConfiguration } from '../../../src/process/configuration.js';
import { openDatabase } from '../../../src/process/database-location.js';
import { Supervisor } from '../../../src/process/several/supervisor.js';
import { createLogger } from '../../../src/platform/logging/logger.js';

/** The service with PROCESSES > 1, whose processes count as hung after four seconds. */
const { loaded } = await readConfiguration();
const logger = createLogger(loaded.config.logLevel);
const database = await openDatabase(loaded.config, loaded.secrets, 'service', (line) => logger.info(line));
await new Supervisor(loaded, database, logger, { everyMs: 200, most: 20 }).start();
