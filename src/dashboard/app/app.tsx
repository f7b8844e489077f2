import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { lazy, Suspense } from 'react';
import { RouterProvider } from 'react-router/dom';
import { homeElsewhere } from '../session/other-origin.js';
import { nonce } from './nonce.js';
import { router } from './routes.js';
import { theme, variables } from './theme.js';

const home = homeElsewhere();
const OtherOriginPage = lazy(async () => ({
  default: (await import('../session/pages/other-origin.page.js')).OtherOriginPage,
}));

/** The whole dashboard: look, toasts and router; the session and its client begin in the shell. */
export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      {home === undefined ? (
        <>
          <Notifications position="bottom-right" limit={4} autoClose={7_000} />
          <RouterProvider router={router} />
        </>
      ) : (
        <Suspense>
          <OtherOriginPage home={home} />
        </Suspense>
      )}
    </MantineProvider>
  );
}
