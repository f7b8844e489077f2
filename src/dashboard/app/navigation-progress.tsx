import { useNavigation } from 'react-router';
import classes from './navigation-progress.module.css';

/** A thin line at the top while the code of the next page comes; only when that takes longer than one notices. */
export function NavigationProgress() {
  const { state } = useNavigation();
  return state === 'loading' ? <div className={classes.line} role="progressbar" aria-label="Loading page" /> : null;
}
