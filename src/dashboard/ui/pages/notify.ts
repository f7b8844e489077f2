import { type RequestFault } from '../../graphql/request-fault.js';
import { atFirstUse } from '../at-first-use.js';
import { type Toast } from './toast.js';

/** The code of the toasts. */
export const toasts = atFirstUse(() => import('./toasts.js'));

/** A toast that something worked, e.g. `notifyDone('Workflow created.')`. */
export function notifyDone(message: string): void {
  show({ message, color: 'teal', withBorder: true });
}

/** A toast with the service's message; for an internal error with the request id. It stays until closed. */
export function notifyFault({ message, requestId }: Pick<RequestFault, 'message' | 'requestId'>): void {
  show({
    title: message,
    message: requestId === undefined ? undefined : `Request id: ${requestId}`,
    color: 'red',
    autoClose: requestId === undefined ? 10_000 : false,
    withBorder: true,
    role: 'alert',
  });
}

function show(toast: Toast): void {
  void toasts.load().then(({ showToast }) => showToast(toast));
}
