import { useState } from 'react';

/** The change behind which a subscription begins: the latest one of the first response. Undefined until then. */
export function useFirstChange(latest: string | null | undefined): string | undefined {
  const [first, setFirst] = useState<string>();
  if (first === undefined && latest != null) setFirst(latest);
  return first;
}
