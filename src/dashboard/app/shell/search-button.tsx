import { usePalette } from '../commands/commands.js';
import { COMMAND, Keys } from '../commands/keys.js';
import { IconSearch } from '../../ui/icons/icons.js';
import classes from './search-button.module.css';

/** Opens the palette. */
export function SearchButton() {
  const open = usePalette();
  return (
    <button type="button" className={classes.search} aria-keyshortcuts="Control+K Meta+K" onClick={open}>
      <IconSearch size={15} aria-hidden />
      <span>Search</span>
      <span aria-hidden>
        <Keys keys={[COMMAND, 'K']} />
      </span>
    </button>
  );
}
