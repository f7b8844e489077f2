import { useEffect, useEffectEvent, useRef } from 'react';
import { useNavigate } from 'react-router';
import { isDialogOpen, isTyping } from '../../ui/is-typing.js';
import { areSingleKeysOn } from '../../ui/single-keys.js';
import { NAVIGATION } from '../navigation.js';

/** How long G waits for the key of a page, in milliseconds. */
const PATIENCE = 1_500;

const PAGES = new Map(NAVIGATION.flatMap(({ items }) => items.map((item) => [item.key, item])));

/** The shortcuts that work on every page while no dialog is open. Ctrl+K works in fields too. */
export function useShortcuts({ onPalette, onHelp }: { onPalette: () => void; onHelp: () => void }): void {
  const navigate = useNavigate();
  const pressedG = useRef(-Infinity);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const key = event.key.toLowerCase();
    if (event.altKey || event.repeat) return;
    if (event.ctrlKey || event.metaKey) {
      if (key !== 'k' || event.shiftKey) return;
      // Never the browser's own: the palette may just have opened.
      event.preventDefault();
      if (!isDialogOpen()) onPalette();
      return;
    }
    if (isTyping(event) || isDialogOpen() || !areSingleKeysOn()) return;
    if (key === '?') return onHelp();
    const page = event.timeStamp - pressedG.current < PATIENCE ? PAGES.get(key) : undefined;
    pressedG.current = key === 'g' ? event.timeStamp : -Infinity;
    if (page === undefined) return;
    // The field of the next page must not receive the key.
    event.preventDefault();
    if (page.isOutside === true) location.assign(page.to);
    else void navigate(page.to);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
