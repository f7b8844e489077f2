import { OutboundError } from './outbound-error.js';

/** The deadline of one call and its caller's cancellation, as one signal. */
export interface CallLimits {
  signal: AbortSignal;
  /** Must be called when the call has ended. */
  release: () => void;
}

/** Aborts after `timeoutMs` or with the caller's signal; the reason is an OutboundError that tells the two apart. */
export function limitCall(host: string, timeoutMs: number, caller: AbortSignal | undefined): CallLimits {
  const controller = new AbortController();
  const cancel = () => controller.abort(new OutboundError('canceled', `The call to ${host} was canceled.`));
  const timer = setTimeout(
    () => controller.abort(new OutboundError('timeout', `${host} gave no whole answer within ${timeoutMs} ms.`)),
    timeoutMs,
  );
  if (caller?.aborted) cancel();
  caller?.addEventListener('abort', cancel, { once: true });
  return {
    signal: controller.signal,
    release: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', cancel);
    },
  };
}

/** Settles as `work` does, or rejects with the signal's reason if that aborts first; `work` itself continues. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject);
  });
}
