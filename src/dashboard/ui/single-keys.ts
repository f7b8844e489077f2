const NAME = 'single-keys';

/** Whether shortcuts of one key without Ctrl work in this browser; speech input needs them off (WCAG 2.1.4). */
export function areSingleKeysOn(): boolean {
  return localStorage.getItem(NAME) !== 'off';
}

/** Remembers the choice in this browser. */
export function setSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, 'off');
}
