import 'reflect-metadata';

export { type Config, ConfigError, type Environment, loadConfig, type LoadedConfig } from './config/config.js';
export { createServer, type Overrides, type Server } from './server.js';
export { type RestMiddleware } from './rest/router.js';
