import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { Notice } from '../../../ui/pages/notice.js';
import { type DraftAction } from '../draft-action.js';
import { countReferences } from '../references.js';

/** The result of a renaming. */
export interface Offer {
  /** The old and the new name, and the number of placeholders with the old one. */
  left: { from: string; to: string; count: number } | undefined;
  begin: () => void;
  look: () => void;
  forget: () => void;
}

/** Watches the name of an action from the moment its field is entered until it is left. */
export function useRenameOffer(action: DraftAction, actions: readonly DraftAction[]): Offer {
  const [before, setBefore] = useState(action.name);
  const [from, setFrom] = useState<string>();
  const { name } = action;
  const count = from === undefined ? 0 : actions.reduce((sum, other) => sum + countReferences(other, from), 0);
  // Another action has the old name now, and the placeholders refer to it.
  const isTaken = actions.some((other) => other.name === from);
  return {
    left: from === undefined || count === 0 || isTaken || name === '' ? undefined : { from, to: name, count },
    begin: () => setBefore(name),
    look: () => {
      if (before !== name && before !== '') setFrom(before);
    },
    forget: () => setFrom(undefined),
  };
}

/** Offers, below the name, to rename the placeholders too. */
export function RenameOffer({ offer, onFollow }: { offer: Offer; onFollow: (from: string, to: string) => void }) {
  const { left, forget } = offer;
  return (
    <div role="status">
      {left !== undefined && (
        <Notice tone="warn">
          {left.count === 1 ? '1 placeholder still says' : `${left.count} placeholders still say`} “{left.from}”.
          <Group gap="xs" mt={8}>
            <Button
              size="compact-sm"
              onClick={() => {
                onFollow(left.from, left.to);
                forget();
              }}
            >
              Change to “{left.to}”
            </Button>
            <Button size="compact-sm" variant="default" onClick={forget}>
              Leave as is
            </Button>
          </Group>
        </Notice>
      )}
    </div>
  );
}
