import { useNavigation } from 'react-router';
import classes from './navigation-progress.module.css';

/** A thin progress bar while the next page's code loads, shown only after a noticeable delay. */
export function NavigationProgress() {
  const { state } = useNavigation();
  return state === 'loading' ? <div className={classes.line} role="progressbar" aria-label="Loading page" /> : null;
}
