import { type ReactNode } from 'react';
import { FirstStepsProvider, useProgress } from '../overview/first-steps/use-first-steps.js';
import { Commands } from './commands/commands.js';
import { Shell } from './shell/shell.js';
import { SignedIn } from './signed-in.js';

/** The frame of the pages for signed-in users, with the client and its connection. */
export function SignedInShell() {
  return (
    <SignedIn>
      <WithFirstSteps>
        <Commands>
          <Shell />
        </Commands>
      </WithFirstSteps>
    </SignedIn>
  );
}

function WithFirstSteps({ children }: { children: ReactNode }) {
  return <FirstStepsProvider value={useProgress()}>{children}</FirstStepsProvider>;
}
