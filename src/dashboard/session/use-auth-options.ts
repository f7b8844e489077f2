import { useEffect, useState } from 'react';
import { type AuthOptions, callAuth } from './auth-api.js';

/** `/auth/options`; undefined until it came, and when it can't be had: then e-mail and password are offered. */
export function useAuthOptions(): AuthOptions | undefined {
  const [options, setOptions] = useState<AuthOptions>();
  useEffect(() => {
    let gone = false;
    void callAuth<AuthOptions>('/options').then((answer) => {
      if (!gone && answer.ok) setOptions(answer.data);
    });
    return () => {
      gone = true;
    };
  }, []);
  return options;
}
