import { durationInWords } from '../../../ui/values/duration.js';
import { ExactTime } from '../../../ui/values/exact-time.js';
import { type DeliveryLog } from './use-delivery-log.js';
import classes from './delivery-log.module.css';

const ERRORS: Readonly<Record<string, string>> = {
  timeout: 'Timed out',
  refused: 'Connection refused',
  dns: 'Unknown host',
  tls: 'TLS error',
  blocked: 'Private address',
  network: 'Connection lost',
  internal: 'Service error',
};

/** The attempts of a delivery that have ended, oldest first. */
export function DeliveryAttempts({ tries }: Pick<DeliveryLog, 'tries'>) {
  return (
    <div>
      <h3 className={classes.title}>Attempts</h3>
      <table className={classes.attempts} aria-label="Attempts">
        <thead>
          <tr>
            <th>Started</th>
            <th>Response</th>
            <th>Duration</th>
          </tr>
        </thead>
        <tbody>
          {tries.map(({ at, responseStatus, error, durationMs }, index) => (
            <tr key={index}>
              <td>
                <ExactTime at={at} />
              </td>
              <td>{responseStatus ?? ERRORS[error ?? 'internal'] ?? error}</td>
              <td>{durationMs === null ? '—' : durationInWords(durationMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
