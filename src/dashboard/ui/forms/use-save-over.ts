import { useState } from 'react';
import { type CombinedError } from 'urql';
import { faultOf, type RequestFault } from '../../graphql/request-fault.js';
import { notifyFault } from '../pages/notify.js';
import { useIsShown } from './use-is-shown.js';

interface Result<T> {
  data?: T | undefined;
  error?: CombinedError | undefined;
}

/** How the fields of an object are read and written. */
interface Access<F, Done> {
  /** The stored fields, from the service. */
  read: () => Promise<Result<{ fields: F; version: string }>>;
  /** Fails with `PRECONDITION_FAILED` if the object has another version. */
  write: (fields: Partial<F>, version: string) => Promise<Result<Done>>;
}

interface SaveOver<F, Done> {
  /**
   * Writes `changed` unless another user has changed one of these fields since the user saw `seen`.
   * @returns undefined if nothing was written.
   */
  save: (changed: Partial<F>, seen: F) => Promise<Done | undefined>;
  running: boolean;
  /** Why the last save failed. */
  fault: RequestFault | undefined;
  /** The fields that another user stored, if they hindered the last save. */
  theirs: F | undefined;
}

/** Saves fields of a form without replacing what another user has changed and this one has not seen. */
export function useSaveOver<F extends object, Done>({ read, write }: Access<F, Done>): SaveOver<F, Done> {
  const isShown = useIsShown();
  const [state, setState] = useState<{ running: boolean; fault?: RequestFault; theirs?: F }>({ running: false });
  const failed = ({ error }: { error?: CombinedError | undefined }): undefined => {
    const fault = faultOf(error!);
    setState((before) => ({ ...before, running: false, fault }));
    if (!isShown()) notifyFault(fault);
  };
  const save = async (changed: Partial<F>, seen: F): Promise<Done | undefined> => {
    setState(({ theirs }) => ({ running: true, ...(theirs !== undefined && { theirs }) }));
    for (;;) {
      const stored = await read();
      if (stored.data === undefined) return failed(stored);
      const { fields, version } = stored.data;
      if (keysOf(changed).some((key) => JSON.stringify(fields[key]) !== JSON.stringify(seen[key]))) {
        setState({ running: false, theirs: fields });
        if (!isShown()) notifyFault({ message: 'Not saved: another user changed the same.', requestId: undefined });
        return undefined;
      }
      const written = await write(changed, version);
      if (written.data !== undefined) {
        setState({ running: false });
        return written.data;
      }
      // Changed since the query, perhaps in another field: the next query tells.
      if (faultOf(written.error!).code !== 'PRECONDITION_FAILED') return failed(written);
    }
  };
  return { save, running: state.running, fault: state.fault, theirs: state.theirs };
}

const keysOf = <F extends object>(fields: Partial<F>): (keyof F)[] => Object.keys(fields) as (keyof F)[];
