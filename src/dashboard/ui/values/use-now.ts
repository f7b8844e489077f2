import { useEffect, useState } from 'react';
import { serviceNow } from '../../graphql/service-clock.js';

/** The current time by the service's clock, in milliseconds; updated regularly while `isMoving`, for live durations. */
export function useNow(isMoving: boolean, every = 500): number {
  const [now, setNow] = useState(serviceNow);
  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(() => setNow(serviceNow()), every);
    return () => clearInterval(timer);
  }, [isMoving, every]);
  return now;
}
