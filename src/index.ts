import 'reflect-metadata';

export { type Config, ConfigError, loadConfig, type LoadedConfig } from './config/config.js';
export { type Environment } from './config/reader.js';
export { createServer, type Overrides, type Server } from './server.js';
export { type RestMiddleware } from './rest/router.js';
