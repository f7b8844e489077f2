import 'reflect-metadata';

export { type Config, ConfigError, loadConfig, type LoadedConfig } from './platform/config/config.js';
export { type Environment } from './platform/config/reader.js';
export { type Overrides } from './process/open-platform.js';
export { createServer, type Server } from './process/server.js';
export { type RestMiddleware } from './transports/rest/router.js';
