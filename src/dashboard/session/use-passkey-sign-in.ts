import { useEffect, useState } from 'react';
import { type RequestFault } from '../graphql/request-fault.js';
import { callAuth } from './auth-api.js';
import { loadWebauthn, offersAtFields, passkeyFault } from './passkey-browser.js';

/** A challenge lasts five minutes: the browser gets a new one before. */
const OFFER_MS = 4 * 60_000;

type Options = Parameters<Awaited<ReturnType<typeof loadWebauthn>>['startAuthentication']>[0]['optionsJSON'];

/**
 * The sign-in by passkey: `signIn` for a button, and an offer at the email field of browsers that can do that.
 * Afterwards it goes to `to`.
 */
export function usePasskeySignIn(to: string) {
  const [running, setRunning] = useState(false);
  const [fault, setFault] = useState<RequestFault>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (running) return undefined;
    return offer((refused) => {
      if (refused === undefined) return location.assign(to);
      setFault(refused);
      setRound(round + 1);
    });
  }, [running, round, to]);
  useEffect(() => () => void cancelCeremony(), []);
  const signIn = async (): Promise<void> => {
    setRunning(true);
    setFault(undefined);
    const refused = await attempt(false).catch(faultOfBrowser);
    if (refused === undefined) return location.assign(to);
    setRunning(false);
    if (refused !== 'canceled') setFault(refused);
  };
  return { signIn, running, fault };
}

/** Waits at the input fields for a person who chooses a passkey. @returns a function that ends it. */
function offer(onEnd: (refused: RequestFault | undefined) => void): () => void {
  let over = false;
  const isOver = (): boolean => over;
  const begin = async (): Promise<void> => {
    if (!(await offersAtFields()) || isOver()) return;
    const refused = await attempt(true);
    if (!isOver()) onEnd(refused);
  };
  // A browser that refuses still has the button.
  const renew = (): void => void begin().catch(() => undefined);
  renew();
  const timer = setInterval(renew, OFFER_MS);
  return () => {
    over = true;
    clearInterval(timer);
  };
}

/** One sign-in. @returns the fault of the service. @throws the error of the browser. */
async function attempt(useBrowserAutofill: boolean): Promise<RequestFault | undefined> {
  const { startAuthentication } = await loadWebauthn();
  const options = await callAuth<Options>('/sign-in/passkey/start', {});
  if (!options.ok) return options.fault;
  const response = await startAuthentication({ optionsJSON: options.data, useBrowserAutofill });
  const answer = await callAuth('/sign-in/passkey', { response });
  return answer.ok ? undefined : answer.fault;
}

async function cancelCeremony(): Promise<void> {
  if (await offersAtFields()) (await loadWebauthn()).WebAuthnAbortService.cancelCeremony();
}

function faultOfBrowser(error: unknown): RequestFault | 'canceled' {
  const message = passkeyFault(error);
  return message === undefined ? 'canceled' : { code: 'PASSKEY', message, fields: {}, requestId: undefined };
}
