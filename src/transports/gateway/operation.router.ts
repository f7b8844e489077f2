import { timingSafeEqual } from 'node:crypto';
import { Router } from 'express';
import { type WriteProbe } from '../../platform/db/availability/write-probe.js';
import { sha256 } from '../../platform/encryption/secrets.js';
import { type Metrics } from './metrics.js';

/** What the health and metrics endpoints report on, and the token for the metrics. */
export interface OperationOptions {
  probe: Pick<WriteProbe, 'isWritable'>;
  metrics: Metrics;
  metricsToken: string | undefined;
  production: boolean;
  isReady: () => boolean;
}

/** `/livez`, `/readyz` and `/metrics`: for orchestrators and monitoring. */
export function operationRouter({ probe, metrics, metricsToken, production, isReady }: OperationOptions): Router {
  const router = Router();
  router.get('/livez', (_request, response) => void response.json({ status: 'ok' }));
  router.get('/readyz', async (_request, response) => {
    const ready = isReady() && (await probe.isWritable());
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready' });
  });
  router.get('/metrics', async (request, response, next) => {
    if (metricsToken === undefined && production) return next();
    if (metricsToken !== undefined && !isBearer(request.headers.authorization, metricsToken)) {
      response
        .status(401)
        .set('www-authenticate', 'Bearer')
        .json({ code: 'unauthorized', message: 'Send METRICS_TOKEN as the bearer token.' });
      return;
    }
    response.type(metrics.contentType).send(await metrics.text());
  });
  return router;
}

function isBearer(header: string | undefined, token: string): boolean {
  return timingSafeEqual(sha256(header ?? ''), sha256(`Bearer ${token}`));
}
