import { notifications } from '@mantine/notifications';
import { type RequestFault } from '../../graphql/request-fault.js';

/** A toast that something worked, e.g. `notifyDone('Workflow created.')`. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'teal', withBorder: true });
}

/** A toast with the service's message; for an internal error with the request id. It stays until closed. */
export function notifyFault({ message, requestId }: Pick<RequestFault, 'message' | 'requestId'>): void {
  notifications.show({
    title: message,
    message: requestId === undefined ? undefined : `Request id: ${requestId}`,
    color: 'red',
    autoClose: requestId === undefined ? 10_000 : false,
    withBorder: true,
    role: 'alert',
  });
}
