import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { CombinedError, useClient, type Client } from 'urql';
import { faultOf, type RequestFault } from '../../graphql/request-fault.js';
import { rememberBegun, type Begun } from '../editor/begun.js';

/** Creates a workflow and opens it with its sample input; a second call during the first does nothing. */
export function useMaking() {
  const client = useClient();
  const navigate = useNavigate();
  const busy = useRef(false);
  const [making, setMaking] = useState(false);
  const make = async (
    create: (client: Client) => Promise<Begun & { id: string }>,
  ): Promise<RequestFault | undefined> => {
    if (busy.current) return undefined;
    busy.current = true;
    setMaking(true);
    try {
      const { id, ...begun } = await create(client);
      rememberBegun(id, begun);
      await navigate(`/workflows/${id}/actions`);
      return undefined;
    } catch (error) {
      if (error instanceof CombinedError) return faultOf(error);
      const message = error instanceof Error ? error.message : 'It did not work. Try again.';
      return { message, code: 'FAILED', fields: {}, requestId: undefined };
    } finally {
      busy.current = false;
      setMaking(false);
    }
  };
  return { make, making };
}
