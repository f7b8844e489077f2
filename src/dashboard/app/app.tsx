import { MantineProvider } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { RouterProvider } from 'react-router/dom';
import { homeElsewhere } from '../session/other-origin.js';
import { toasts } from '../ui/pages/notify.js';
import { nonce } from './nonce.js';
import { router } from './routes.js';
import { Starting } from './starting.js';
import { theme, variables } from './theme.js';

const home = homeElsewhere();
const Toasts = lazy(async () => ({ default: (await toasts.loaded).Toasts }));
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
          <Suspense>
            <Toasts />
          </Suspense>
          <RouterProvider router={router} />
        </>
      ) : (
        <Suspense fallback={<Starting />}>
          <OtherOriginPage home={home} />
        </Suspense>
      )}
    </MantineProvider>
  );
}
