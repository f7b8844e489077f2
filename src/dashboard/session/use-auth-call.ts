import { useState } from 'react';
import { type RequestFault } from '../graphql/request-fault.js';
import { callAuth } from './auth-api.js';

/**
 * A form's call to `/auth` with its state: `call` returns the response, or undefined for an error (then see `fault`).
 */
export function useAuthCall() {
  const [running, setRunning] = useState(false);
  const [fault, setFault] = useState<RequestFault>();
  const call = async <T>(path: string, body: Record<string, unknown>): Promise<T | undefined> => {
    setRunning(true);
    setFault(undefined);
    const answer = await callAuth<T>(path, body);
    setRunning(false);
    if (answer.ok) return answer.data;
    setFault(answer.fault);
    return undefined;
  };
  return { call, running, fault };
}
