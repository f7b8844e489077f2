import { useLayoutEffect } from 'react';

/** Stands for the first page while its code loads; when that replaces it, the name in `index.html` disappears. */
export function Starting() {
  useLayoutEffect(() => () => document.getElementById('starting')?.remove(), []);
  return null;
}
