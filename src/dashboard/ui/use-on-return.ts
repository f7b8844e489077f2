import { useEffect, useEffectEvent } from 'react';

/** Calls `action` when one comes back to the window: for what others change meanwhile, and no event tells. */
export function useOnReturn(action: () => void): void {
  const onReturn = useEffectEvent(action);
  useEffect(() => {
    const listen = (): void => onReturn();
    window.addEventListener('focus', listen);
    return () => window.removeEventListener('focus', listen);
  }, []);
}
