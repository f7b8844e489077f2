import 'reflect-metadata';

export { type Config, ConfigError, loadConfig, type LoadedConfig } from './config/config.js';
export { type Environment } from './config/reader.js';
export { type Overrides } from './open-floor.js';
export { createServer, type Server } from './server.js';
export { type RestMiddleware } from './rest/router.js';
