import { useEffect, useEffectEvent } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { type DraftAction } from './draft-action.js';

/** Finds the action that the URL names (`?action=`), e.g. that of a failed step, at each visit. */
export function useAskedAction(actions: readonly DraftAction[], onAsked: (key: string) => void): void {
  const { key: visit } = useLocation();
  const [params] = useSearchParams();
  const name = params.get('action');
  const find = useEffectEvent(() => {
    const asked = actions.find((action) => action.name === name);
    if (asked !== undefined) onAsked(asked.key);
  });
  useEffect(() => find(), [name, visit]);
}
