import { type RouteObject } from 'react-router';

/** The pages for signed-out people; they need no client. */
export const sessionRoutes: RouteObject[] = [
  { path: 'sign-in', lazy: async () => ({ Component: (await import('./pages/sign-in.page.js')).SignInPage }) },
  { path: 'set-up/:token', lazy: async () => ({ Component: (await import('./pages/set-up.page.js')).SetUpPage }) },
  {
    path: 'forgot-password',
    lazy: async () => ({ Component: (await import('./pages/forgot-password.page.js')).ForgotPasswordPage }),
  },
  {
    path: 'reset-password/:token',
    lazy: async () => ({ Component: (await import('./pages/reset-password.page.js')).ResetPasswordPage }),
  },
  {
    path: 'invitations/:token',
    lazy: async () => ({ Component: (await import('./pages/invitation.page.js')).InvitationPage }),
  },
  {
    path: 'choose-account',
    lazy: async () => ({ Component: (await import('./pages/choose-account.page.js')).ChooseAccountPage }),
  },
];
