import { type IntegrationQuery } from './integration.generated.js';

/** One connection as `/integrations/:id` shows it. */
export type IntegrationDetail = IntegrationQuery['integration'];
