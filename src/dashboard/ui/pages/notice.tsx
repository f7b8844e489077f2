import { type ReactNode } from 'react';
import { IconAlertCircle, IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '../icons/icons.js';
import classes from './notice.module.css';

const ICONS = { bad: IconAlertCircle, warn: IconAlertTriangle, good: IconCircleCheck, busy: IconInfoCircle };

/** A boxed message within a page or a form; `busy` is the neutral tone. Screen readers announce an error at once. */
export function Notice({ tone, title, children }: NoticeProps) {
  const Icon = ICONS[tone];
  return (
    <div className={classes.notice} data-tone={tone} role={tone === 'bad' ? 'alert' : 'note'}>
      <Icon size={17} aria-hidden />
      <div>
        {title !== undefined && <strong>{title}</strong>}
        <div>{children}</div>
      </div>
    </div>
  );
}

/** `title` is a word or two, `children` the sentence. */
export interface NoticeProps {
  tone: keyof typeof ICONS;
  title?: string;
  children: ReactNode;
}
