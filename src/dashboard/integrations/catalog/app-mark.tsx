import classes from './app-mark.module.css';
import marks from './app-marks.svg';
import { MARKED_APPS } from './marked-apps.js';

/** The logo of an application, `size` in pixels; for an application without one its first letter. */
export function AppMark({ type, name, size = 30 }: { type: string; name: string; size?: number }) {
  return (
    <span className={classes.mark} style={{ width: size, height: size, fontSize: size * 0.45 }} aria-hidden>
      {MARKED_APPS.has(type) ? (
        <svg width={size * 0.56} height={size * 0.56} fill="currentColor">
          <use href={`${marks}#${type}`} />
        </svg>
      ) : (
        firstLetter(name)
      )}
    </span>
  );
}

function firstLetter(name: string): string {
  return String.fromCodePoint(name.codePointAt(0) ?? 32).toUpperCase();
}
