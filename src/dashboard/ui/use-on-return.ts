import { useEffect, useEffectEvent } from 'react';

/** Calls `action` when the user returns to the window: for changes by other users that no event reports. */
export function useOnReturn(action: () => void): void {
  const onReturn = useEffectEvent(action);
  useEffect(() => {
    const listen = (): void => onReturn();
    window.addEventListener('focus', listen);
    return () => window.removeEventListener('focus', listen);
  }, []);
}
