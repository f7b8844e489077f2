import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { RouterProvider } from 'react-router/dom';
import { nonce } from './nonce.js';
import { router } from './routes.js';
import { theme, variables } from './theme.js';

/** The whole dashboard: look, toasts and router; the session and its client begin in the shell. */
export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <Notifications position="bottom-right" limit={4} autoClose={7_000} />
      <RouterProvider router={router} />
    </MantineProvider>
  );
}
