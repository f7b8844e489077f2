import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { useId, useState } from 'react';
import { signOut } from '../../session/auth-api.js';
import { useViewer } from '../../session/viewer.js';
import { goToSignIn } from '../../session/where-to.js';
import { notifyFault } from '../../ui/pages/notify.js';
import { IconDeviceDesktop, IconLogout, IconMoon, IconSelector, IconSun } from '../../ui/icons/icons.js';
import classes from './account-menu.module.css';

const SCHEMES: readonly { value: MantineColorScheme; label: string; icon: typeof IconSun }[] = [
  { value: 'auto', label: 'As the system', icon: IconDeviceDesktop },
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
];

/** The signed-in user, the color scheme, and the sign-out button; a native popover, since each page loads it. */
export function AccountMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [leaving, setLeaving] = useState(false);
  const id = useId();
  const leave = async () => {
    setLeaving(true);
    const left = await signOut();
    if (left.ok) {
      // What the tab keeps, e.g. actions that are not saved yet, is not for the next user.
      sessionStorage.clear();
      return goToSignIn('/');
    }
    setLeaving(false);
    notifyFault(left.fault);
  };
  return (
    <>
      <button type="button" className={classes.target} popoverTarget={id} aria-controls={id}>
        <Person />
        <IconSelector size={15} aria-hidden />
      </button>
      <div id={id} popover="auto" className={classes.menu} role="group" aria-label="Account">
        <fieldset>
          <legend>Appearance</legend>
          {SCHEMES.map(({ value, label, icon: Icon }) => (
            <label key={value} className={classes.item}>
              <input type="radio" name={id} checked={colorScheme === value} onChange={() => setColorScheme(value)} />
              {label}
              <Icon size={15} aria-hidden />
            </label>
          ))}
        </fieldset>
        <button type="button" className={classes.item} disabled={leaving} onClick={() => void leave()}>
          <IconLogout size={15} aria-hidden />
          Sign out
        </button>
      </div>
    </>
  );
}

function Person() {
  const { user } = useViewer();
  if (user === null) return null;
  return (
    <>
      <span className={classes.avatar} aria-hidden>
        {String.fromCodePoint(user.name.codePointAt(0) ?? 32).toUpperCase()}
      </span>
      <span className={classes.names}>
        <strong>{user.name}</strong>
        <span>{user.email}</span>
      </span>
    </>
  );
}
