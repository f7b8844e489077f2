import { createServer } from 'node:http';
import pg from 'pg';
import { limitListener } from './limit/listener.js';

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.DATABASE_POOL) });

process.once('SIGTERM', () => process.exit(0));
createServer(limitListener(pool)).listen(Number(process.env.PORT));
