import { useLocation, useNavigate } from 'react-router';

interface AfterConnect {
  returnTo: string;
}

/** The state of a link to the page that connects an application: once it is connected, `returnTo` opens. */
export function afterConnect(returnTo: string): AfterConnect {
  return { returnTo };
}

/** Opens the page that needs the new connection, or else the page of the connection. */
export function useAfterConnect(): (id: string) => Promise<void> {
  const navigate = useNavigate();
  const state = useLocation().state as Partial<AfterConnect> | null;
  return async (id) => navigate(state?.returnTo ?? `/integrations/${id}`, { replace: true });
}
