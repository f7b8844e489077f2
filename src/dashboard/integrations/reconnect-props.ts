import { type IntegrationDetail } from './integration-detail.js';

/** What the two ways of reconnecting need. */
export interface ReconnectProps {
  app: { type: string; name: string; documentationUrl?: string | null };
  integration: IntegrationDetail;
  onClose: () => void;
}
