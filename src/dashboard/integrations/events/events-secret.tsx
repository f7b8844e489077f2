import classes from './app-events.module.css';
import { type IntegrationDetail } from '../integration-detail.js';
import { MadeSecret } from './made-secret.js';
import { ProviderSecret } from './provider-secret.js';

/** The step that shares the events secret, depending on whether the application or the service generates it. */
export function EventsSecret({ integration }: { integration: IntegrationDetail }) {
  const { id, type, eventsProof, integrationType } = integration;
  const app = integrationType?.name ?? type;
  switch (eventsProof) {
    case 'MADE':
      return (
        <>
          <h3>Enter this signing secret there, if it asks for one</h3>
          <MadeSecret id={id} />
        </>
      );
    case 'MISSING':
    case 'SET':
      return (
        <>
          <h3>Copy the signing secret that {app} made for the webhook, and enter it here</h3>
          <ProviderSecret id={id} app={app} isSet={eventsProof === 'SET'} />
        </>
      );
    case 'APPLICATION':
      return (
        <>
          <h3>No secret to set here</h3>
          <p className={classes.none}>
            Posts are checked with the signing secret of the application, which is set for this service.
          </p>
        </>
      );
    default:
      return (
        <>
          <h3>Keep the URL secret</h3>
          <p className={classes.none}>{app} does not sign its events: the URL itself is the secret.</p>
        </>
      );
  }
}
