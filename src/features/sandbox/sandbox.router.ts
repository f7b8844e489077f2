import { Router } from 'express';
import { type Clock } from '../../platform/clock.js';
import { type Outbound } from '../../platform/http/outbound/outbound.js';
import { apiRouter } from './api.router.js';
import { authorizeRouter } from './authorize.router.js';
import { callbacksRouter } from './callbacks.router.js';
import { controlsRouter } from './controls/controls.router.js';
import { eventsRouter } from './events.router.js';
import { answerOAuthErrors } from './oauth-error.js';
import { PostgresSandboxStore, type Query } from './sandbox.store.js';
import { tokenRouter } from './token.router.js';

/** The dependencies of the sandbox; `baseUrl` is the service's public URL. */
export interface SandboxOptions {
  baseUrl: string;
  clock: Clock;
  query: Query;
  outbound: Outbound;
}

/**
 * A small OAuth 2 provider and API, so that the whole product can be tried without an outside application. Issuer:
 * `${baseUrl}/sandbox`. Mounted at `/sandbox`; its paths must match `integrations/apps/sandbox.ts`.
 */
export function sandboxRouter(options: SandboxOptions): Router {
  const { clock, query } = options;
  const context = { baseUrl: options.baseUrl, clock, store: new PostgresSandboxStore(query, clock) };
  const router = Router();
  router.use(
    authorizeRouter(context),
    tokenRouter(context),
    apiRouter(context),
    callbacksRouter({ ...context, outbound: options.outbound }),
    controlsRouter(context),
    eventsRouter(options),
    answerOAuthErrors,
  );
  return router;
}
