import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { type IncomingMessage } from 'node:http';
import { docsRouter } from '../developers/docs.router.js';
import { graphiqlRouter } from '../developers/graphiql.router.js';
import { referenceRouter } from '../developers/reference.router.js';
import { type BodyBudget } from '../../platform/admission/body-budget.js';
import { type RateLimits } from '../../platform/admission/rate-limits.js';
import { toAppError } from '../../platform/errors.js';
import { bytesToHold } from '../../platform/http/inbound/inbound-body.js';
import { onceClosed } from '../../platform/http/inbound/once-closed.js';
import { ConnectForm } from '../../features/integrations/connect/connect-form.js';
import { connectSessionRouter } from '../../features/integrations/connect/connect-session.router.js';
import { type SessionPage } from '../../features/integrations/connect/session-page.js';
import { errorPage } from '../../features/integrations/connect/oauth.pages.js';
import {
  callbackRouter,
  type CallbackRouterOptions,
} from '../../features/integrations/connect/callback/callback.router.js';
import { startRouter, type StartRouterOptions } from '../../features/integrations/connect/start.router.js';
import { errorFields, type Logger } from '../../platform/logging/logger.js';
import { pageAssetsRouter } from '../../platform/pages/assets.router.js';
import { sendPage } from '../../platform/pages/page.js';
import { schemaRouter } from '../graphql/schema.router.js';
import { openApiRouter } from '../rest/openapi/openapi.router.js';
import { approvalRouter } from '../../features/waits/approvals/approval.router.js';
import { waitConnectionRouter } from '../../features/waits/connections/connection.router.js';
import { type Waits } from '../../features/waits/wire.js';
import { sandboxRouter } from '../../features/sandbox/sandbox.router.js';
import { dashboardRouter } from './dashboard.router.js';
import { operationRouter, type OperationOptions } from './operation.router.js';

/** The routers of the pages, and what their error handler needs. */
export interface PagesOptions {
  operation: OperationOptions;
  oauth: CallbackRouterOptions & StartRouterOptions;
  session: { page: SessionPage; rates: RateLimits };
  waits: Pick<Waits, 'approvals' | 'connections'>;
  sandbox: Parameters<typeof sandboxRouter>[0] | undefined;
  bodies: Pick<BodyBudget, 'holdUnknown'>;
  clientOf: (request: IncomingMessage) => string;
  logger: Logger;
}

/**
 * The Express app: pages for browsers, and monitoring. Each router is mounted in one line at the path that its routes
 * share. Monitoring and the dashboard have several paths at the root.
 */
export function createPages({
  operation,
  oauth,
  session: { page, rates },
  waits: { approvals, connections },
  sandbox,
  logger,
  ...holding
}: PagesOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use(holdBody(holding));
  app.use('/', operationRouter(operation));
  const form = new ConnectForm(page, rates, oauth.baseUrl);
  app.use('/connect/waits', waitConnectionRouter({ connections, form }));
  app.use('/connect', connectSessionRouter({ page, form }));
  app.use('/connect', startRouter(oauth));
  app.use('/approvals', approvalRouter({ approvals, baseUrl: oauth.baseUrl }));
  app.use('/oauth', callbackRouter(oauth));
  app.use('/openapi.json', openApiRouter(oauth.baseUrl));
  app.use('/schema.graphql', schemaRouter());
  app.use('/pages', pageAssetsRouter());
  app.use('/graphiql', graphiqlRouter({ baseUrl: oauth.baseUrl }));
  app.use('/docs', referenceRouter());
  app.use('/docs', docsRouter());
  if (sandbox !== undefined) app.use('/sandbox', sandboxRouter(sandbox));
  app.use('/', dashboardRouter({ baseUrl: oauth.baseUrl }));
  app.use((_request, response) => {
    sendPage(response, 404, errorPage({ title: 'Nothing here', detail: 'There is no such page.' }));
  });
  app.use(answerErrors(logger));
  return app;
}

/** Reserves the memory for a body until the response: pages have no key, so all of a client count together. */
function holdBody({ bodies, clientOf }: Pick<PagesOptions, 'bodies' | 'clientOf'>): RequestHandler {
  return (request, response, next) => {
    const size = bytesToHold(request);
    if (size > 0) onceClosed(response, bodies.holdUnknown(clientOf(request), size));
    next();
  };
}

function answerErrors(logger: Logger): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    const status = statusOf(error);
    if (status >= 500) logger.error(errorFields(error), 'page failed');
    const title = status >= 500 ? 'That did not work' : 'That request is not valid';
    const detail =
      status === 503 ? 'The service is briefly unavailable. Try again in a moment.' : 'Go back and try again.';
    sendPage(response, status, errorPage({ title, detail }));
  };
}

/** Express and its parsers put a status on errors that the client caused. */
function statusOf(error: unknown): number {
  const { status } = error as { status?: unknown };
  return typeof status === 'number' && status >= 400 && status < 500 ? status : toAppError(error).status;
}
