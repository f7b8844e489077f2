import { type ReactNode } from 'react';
import { Notice } from '../ui/pages/notice.js';
import { useAuthOptions } from './use-auth-options.js';

/** Says that the service sends no emails, where an email is expected; `children` are what happens instead. */
export function UnsentMail({ children }: { children: ReactNode }) {
  if (useAuthOptions()?.mail !== false) return null;
  return <Notice tone="warn">This service sends no emails, since no email server is set up. {children}</Notice>;
}
