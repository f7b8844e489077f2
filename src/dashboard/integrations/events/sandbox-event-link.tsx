import { type MouseEvent, type ReactNode, use } from 'react';
import { UncachedClient } from '../../graphql/uncached.js';
import { type IntegrationDetail } from '../integration-detail.js';
import { EventsSecretDocument } from '../integration.generated.js';

/**
 * Opens the sandbox's page for an event in a new tab, filled in for a connection. The secret is loaded on the click. It is in
 * the fragment of the URL, which no server receives; the page removes it at once.
 */
export function SandboxEventLink({ integration, children }: { integration: IntegrationDetail; children: ReactNode }) {
  const client = use(UncachedClient);
  const { id, eventsUrl, eventsProof, integrationType } = integration;
  const fields = { url: eventsUrl ?? '', event: integrationType?.events[0] ?? '' };
  const open = (clicked: MouseEvent): void => {
    // Before the request: a browser blocks a tab that opens later than the click.
    const tab = window.open(pageWith(fields), '_blank');
    if (tab === null) return;
    clicked.preventDefault();
    if (client === undefined || eventsProof !== 'MADE') return;
    void client.query(EventsSecretDocument, { id }).then(({ data }) => {
      const secret = data?.integration.eventsSecret;
      if (typeof secret === 'string') tab.location.replace(pageWith({ ...fields, secret }));
    });
  };
  return (
    <a href={pageWith(fields)} target="_blank" rel="noreferrer" onClick={open}>
      {children}
    </a>
  );
}

function pageWith(fields: Record<string, string>): string {
  return `/sandbox/events#${new URLSearchParams(fields).toString()}`;
}
