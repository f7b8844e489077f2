import { type App, authOf } from '../apps/app.js';
import { type Credentials } from './credentials.js';

/** Adds credentials to the headers or the query of a request, as the app defines. Changes both arguments in place. */
export function placeCredentials(
  app: App,
  credentials: Credentials,
  headers: Record<string, string>,
  address: URL,
): void {
  if ('accessToken' in credentials) {
    headers.authorization = `Bearer ${credentials.accessToken}`;
  } else {
    const { placement } = authOf(app, 'api_key')!;
    const value = `${placement.prefix}${credentials.apiKey}`;
    if (placement.in === 'header') headers[placement.name] = value;
    else address.searchParams.set(placement.name, value);
  }
}
