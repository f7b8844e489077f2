import { useDisclosure } from '@mantine/hooks';
import { createContext, type ReactNode, use, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { lazyDialog } from '../../ui/dialogs/lazy-dialog.js';
import { CreateWorkflowDialog } from '../../workflows/create-workflow.js';
import { type Act } from './entries.js';
import { useFirstLetters } from './use-first-letters.js';
import { useShortcuts } from './use-shortcuts.js';

const Palette = lazyDialog(async () => (await import('./palette.js')).Palette);
const ShortcutsDialog = lazyDialog(async () => (await import('./shortcuts.dialog.js')).ShortcutsDialog);

const PaletteContext = createContext<() => void>(() => undefined);

/** Opens the palette. */
export function usePalette(): () => void {
  return use(PaletteContext);
}

/** The palette and the shortcuts, for everything within. */
export function Commands({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  const [searching, palette] = useDisclosure();
  const [helping, help] = useDisclosure();
  const [creating, create] = useDisclosure();
  const [times, setTimes] = useState(0);
  const takeLetters = useFirstLetters(searching, palette.close);
  const origin = useRef<Element>(null);
  const open = (): void => {
    origin.current = document.activeElement;
    setTimes((before) => before + 1);
    palette.open();
  };
  useShortcuts({ onPalette: open, onHelp: help.open });
  const act = (chosen: Act): void => {
    // Dialogs give the focus back to the element that had it before them: never to the palette, which is closed by then.
    if (origin.current instanceof HTMLElement) origin.current.focus({ preventScroll: true });
    if ('to' in chosen) {
      if (chosen.isOutside === true) location.assign(chosen.to);
      else void navigate(chosen.to);
    } else if (chosen.dialog === 'shortcuts') help.open();
    else create.open();
  };
  return (
    <PaletteContext value={open}>
      {children}
      <Palette opened={searching} onClose={palette.close} onAct={act} times={times} takeLetters={takeLetters} />
      <ShortcutsDialog opened={helping} onClose={help.close} />
      <CreateWorkflowDialog opened={creating} onClose={create.close} />
    </PaletteContext>
  );
}
