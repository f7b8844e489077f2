import { Button } from '@mantine/core';
import classes from './account-choices.module.css';
import { ReplacedUser } from '../replaced-user.js';

/** An account that the person may join: `inv_…` invites them, `usr_…` has a user with their address already. */
export interface AccountChoice {
  id: string;
  account: string;
  /** The account whose user with the same address is removed by this choice. */
  replaces?: string;
}

/** The accounts that a person may join, each with its consequences. */
export function AccountChoices({ choices, running, onChoose }: AccountChoicesProps) {
  return (
    <ul className={classes.choices} aria-label="Accounts">
      {choices.map((choice) => (
        <li key={choice.id}>
          <div>
            <strong>{choice.account}</strong>
            <p>
              <Consequence {...choice} />
            </p>
          </div>
          <Button
            variant="default"
            aria-label={`Join ${choice.account}`}
            disabled={running}
            onClick={() => onChoose(choice.id)}
          >
            Join
          </Button>
        </li>
      ))}
    </ul>
  );
}

function Consequence({ id, replaces }: AccountChoice) {
  if (id.startsWith('usr_')) {
    return 'A user with your address exists. It becomes yours: its password and its sessions are removed.';
  }
  return <>You were invited. {replaces !== undefined && <ReplacedUser account={replaces} />}</>;
}

/** `running`: a choice is being sent. */
export interface AccountChoicesProps {
  choices: readonly AccountChoice[];
  running: boolean;
  onChoose: (id: string) => void;
}
