import { type ComponentType, lazy, Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { atFirstUse } from '../at-first-use.js';
import { awaitDialog } from '../is-typing.js';

/** A dialog whose code is no part of the first load: it loads when the user begins to use the page. */
export function lazyDialog<P extends { opened: boolean }>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const code = atFirstUse(load);
  const Dialog = lazy(async () => ({ default: OpensAfterMount(await code.load()) }));
  return function LazyDialog(props: P) {
    const [wanted, setWanted] = useState(props.opened);
    if (props.opened && !wanted) setWanted(true);
    // Before the next key: until the code is there, keys would act on the page.
    useLayoutEffect(() => (props.opened ? awaitDialog() : undefined), [props.opened]);
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
