import { useCallback, useEffect, useRef } from 'react';

/** Calls `action` at most once per `milliseconds`, the last time after the last call: for lists that many events touch. */
export function useSoon(action: () => void, milliseconds = 1_000): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      latest.current();
    }, milliseconds);
  }, [milliseconds]);
}
