import { type RouteObject } from 'react-router';

/** The pages for signed-out people; they need no client. */
export const sessionRoutes: RouteObject[] = [
  { path: 'sign-in', lazy: async () => ({ Component: (await import('./sign-in.page.js')).SignInPage }) },
  { path: 'set-up/:token', lazy: async () => ({ Component: (await import('./set-up.page.js')).SetUpPage }) },
  {
    path: 'forgot-password',
    lazy: async () => ({ Component: (await import('./forgot-password.page.js')).ForgotPasswordPage }),
  },
  {
    path: 'reset-password/:token',
    lazy: async () => ({ Component: (await import('./reset-password.page.js')).ResetPasswordPage }),
  },
  {
    path: 'invitations/:token',
    lazy: async () => ({ Component: (await import('./invitation.page.js')).InvitationPage }),
  },
  {
    path: 'choose-account',
    lazy: async () => ({ Component: (await import('./choose-account.page.js')).ChooseAccountPage }),
  },
];
