import { AppError } from '../../../platform/errors.js';
import { type App } from '../apps/app.js';
import { type Captured, missingCaptures, stillAllowed } from '../apps/captures.js';
import { fillAppUrl } from '../apps/urls/fill-url-template.js';
import { type Credentials, kindOf } from './credentials.js';

/**
 * A URL template of an app's API, filled for one connection. @throws AppError `conflict` if the application has not
 * named all of it when it issued the tokens.
 */
export function fillApiUrl(template: string, app: App, parameters: Captured, credentials: Credentials): string {
  const stored = 'accessToken' in credentials ? credentials.captured : undefined;
  const kind = kindOf(credentials);
  const captured = stillAllowed(app, kind, stored, parameters);
  if (missingCaptures(app, kind, captured).length > 0)
    throw new AppError('conflict', `${app.name} has not named the host of its API: reconnect the integration.`);
  return fillAppUrl(app, template, parameters, captured);
}
