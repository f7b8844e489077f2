import { Notifications, notifications } from '@mantine/notifications';
import { type Toast } from './toast.js';
import classes from './toasts.module.css';

/** Adds a toast to those in `Toasts`. */
export const showToast = (toast: Toast): void => void notifications.show(toast);

/** The place of all toasts. */
export function Toasts() {
  return <Notifications position="bottom-left" limit={4} autoClose={7_000} className={classes.toasts} />;
}
