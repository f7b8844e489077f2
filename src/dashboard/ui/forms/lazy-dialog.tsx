import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import { atFirstUse } from '../at-first-use.js';

/** A dialog whose code is no part of the first load: it loads when the user begins to use the page. */
export function lazyDialog<P extends { opened: boolean }>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const code = atFirstUse(load);
  const Dialog = lazy(async () => ({ default: OpensAfterMount(await code.load()) }));
  return function LazyDialog(props: P) {
    const [wanted, setWanted] = useState(props.opened);
    if (props.opened && !wanted) setWanted(true);
    return (
      wanted && (
        <Suspense>
          <Dialog {...props} />
        </Suspense>
      )
    );
  };
}

/** Only a dialog that opens after its mount gives the focus back. */
function OpensAfterMount<P extends { opened: boolean }>(Dialog: ComponentType<P>): ComponentType<P> {
  return function Mounted(props: P) {
    const [mounted, setMounted] = useState(false);
    useEffect(() => setMounted(true), []);
    return <Dialog {...props} opened={mounted && props.opened} />;
  };
}
