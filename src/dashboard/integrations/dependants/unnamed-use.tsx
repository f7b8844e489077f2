import { type IntegrationDetail } from '../integration-detail.js';

type Usable = Pick<IntegrationDetail, 'reference'> & { integrationType: { events: readonly string[] } | null };

/** Whether workflows may use a connection that they do not name; the service counts only those that name it. */
export function hasUnnamedUse({ reference, integrationType }: Usable): boolean {
  return reference !== null || (integrationType?.events.length ?? 0) > 0;
}

/** How workflows may use a connection that they do not name. */
export function UnnamedUse({ integration: { reference, integrationType } }: { integration: Usable }) {
  const hasEvents = (integrationType?.events.length ?? 0) > 0;
  return (
    <>
      {reference !== null && 'Workflows may still use it by its type and reference.'}
      {reference !== null && hasEvents && ' '}
      {hasEvents && 'Triggers for any connection may still wait for its events.'}
    </>
  );
}
