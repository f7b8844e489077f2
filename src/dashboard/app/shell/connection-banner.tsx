import { useConnectionState } from '../../graphql/connection-state.js';
import { IconCloudOff, IconRefresh } from '../../ui/icons/icons.js';
import classes from './connection-banner.module.css';

/** A banner while live updates are interrupted. */
export function ConnectionBanner() {
  const state = useConnectionState();
  return (
    <div role="status" className={classes.place}>
      {state === 'offline' && (
        <p className={classes.banner}>
          <IconCloudOff size={16} aria-hidden />
          You are offline. What you see may be old; it is brought up to date as soon as you are back.
        </p>
      )}
      {state === 'reconnecting' && (
        <p className={classes.banner}>
          <IconRefresh size={16} aria-hidden />
          The connection was lost. Reconnecting; no changes will be missed.
        </p>
      )}
    </div>
  );
}
