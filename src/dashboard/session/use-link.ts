import { useEffect, useState } from 'react';
import { type AuthAnswer, callAuth } from './auth-api.js';

/** The purpose of a mailed link, by its path below `/auth`; undefined until the response arrives. */
export function useLink<T>(path: string): AuthAnswer<T> | undefined {
  const [answer, setAnswer] = useState<{ to: string; is: AuthAnswer<T> }>();
  useEffect(() => {
    let gone = false;
    void callAuth<T>(path).then((is) => {
      if (!gone) setAnswer({ to: path, is });
    });
    return () => {
      gone = true;
    };
  }, [path]);
  return answer?.to === path ? answer.is : undefined;
}
