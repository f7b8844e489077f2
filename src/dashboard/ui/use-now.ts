import { useEffect, useState } from 'react';
import { serviceNow } from '../graphql/service-clock.js';

/** The present moment by the service's clock in milliseconds, told anew every so often while `isMoving`, for what grows before one's eyes. */
export function useNow(isMoving: boolean, every = 500): number {
  const [now, setNow] = useState(serviceNow);
  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(() => setNow(serviceNow()), every);
    return () => clearInterval(timer);
  }, [isMoving, every]);
  return now;
}
