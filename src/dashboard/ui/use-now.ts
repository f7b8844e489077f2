import { useEffect, useState } from 'react';

/** The present moment in milliseconds, told anew every so often while `isMoving`, for what grows before one's eyes. */
export function useNow(isMoving: boolean, every = 500): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [isMoving, every]);
  return now;
}
