import { type ReactNode, useEffect, useRef } from 'react';
import { AppMark } from '../catalog/app-mark.js';
import { IconCheck, IconX } from '../../ui/icons/icons.js';
import classes from './flow.module.css';

/** One state of a flow: screen readers announce each change, and the focus moves to the next step. */
export function FlowFrame({ app, look, title, text, aside, actions }: FlowFrameProps) {
  const panel = useRef<HTMLDivElement>(null);
  // The focused button of the previous state is gone.
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  return (
    <div ref={panel} tabIndex={-1} className={classes.panel} role="group" aria-label={`Connecting ${app.name}`}>
      <span className={classes.mark} data-look={look}>
        <AppMark type={app.type} name={app.name} size={44} />
        {look === 'failed' && <IconX size={13} stroke={2.6} aria-hidden className={classes.sign} />}
        {look === 'done' && <IconCheck size={13} stroke={2.6} aria-hidden className={classes.sign} />}
      </span>
      <div role="status">
        <h2>{title}</h2>
        <p>{text}</p>
      </div>
      {aside}
      <div className={classes.actions}>{actions}</div>
    </div>
  );
}

/** `look` is `busy` while something is awaited; `aside` stands between text and buttons. */
export interface FlowFrameProps {
  app: { type: string; name: string };
  look: 'busy' | 'failed' | 'done';
  title: string;
  text: ReactNode;
  aside?: ReactNode;
  actions: ReactNode;
}
