import { Shell } from './shell/shell.js';
import { SignedIn } from './signed-in.js';

/** The frame of the pages for signed-in users, with the client and its connection. */
export function SignedInShell() {
  return (
    <SignedIn>
      <Shell />
    </SignedIn>
  );
}
