import { useEffect, useState } from 'react';
import { type AuthAnswer, callAuth } from '../../../session/auth-api.js';

/** A passkey in the response of `/auth/passkeys`. */
export interface OwnPasskey {
  id: string;
  name: string;
  created_at: string;
  /** Null before the first sign-in. */
  used_at: string | null;
}

/** The response of `/auth/passkeys`, undefined until it arrives; `reload` requests another one. */
export function usePasskeys() {
  const [answer, setAnswer] = useState<AuthAnswer<{ passkeys: readonly OwnPasskey[] }>>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    let gone = false;
    void callAuth<{ passkeys: readonly OwnPasskey[] }>('/passkeys').then((next) => {
      if (!gone) setAnswer(next);
    });
    return () => {
      gone = true;
    };
  }, [round]);
  return { answer, reload: () => setRound((before) => before + 1) };
}
