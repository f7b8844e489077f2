import { useEffect, useState } from 'react';
import { type AuthOptions, callAuth } from './auth-api.js';

/** The default if the options cannot be loaded: email and password. */
const UNKNOWN: AuthOptions = { set_up: undefined, oidc: [], mail: true, passkeys: false };

/** `/auth/options`; undefined until the response arrives. */
export function useAuthOptions(): AuthOptions | undefined {
  const [options, setOptions] = useState<AuthOptions>();
  useEffect(() => {
    let gone = false;
    void callAuth<AuthOptions>('/options').then((answer) => {
      if (!gone) setOptions(answer.ok ? answer.data : UNKNOWN);
    });
    return () => {
      gone = true;
    };
  }, []);
  return options;
}
