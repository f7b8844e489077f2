import { Menu, type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconLogout, IconMoon, IconSelector, IconSun } from '@tabler/icons-react';
import { useState } from 'react';
import { signOut } from '../../session/auth-api.js';
import { useViewer } from '../../session/viewer.js';
import { goToSignIn } from '../../session/where-to.js';
import { notifyFault } from '../../ui/pages/notify.js';
import classes from './account-menu.module.css';

const SCHEMES: readonly { value: MantineColorScheme; label: string; icon: typeof IconSun }[] = [
  { value: 'auto', label: 'As the system', icon: IconDeviceDesktop },
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
];

/** The signed-in user, the color scheme, and the sign-out button. */
export function AccountMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [leaving, setLeaving] = useState(false);
  const leave = async () => {
    setLeaving(true);
    const left = await signOut();
    if (left.ok) return goToSignIn('/');
    setLeaving(false);
    notifyFault(left.fault);
  };
  return (
    <Menu position="top-start" width={212}>
      <Menu.Target>
        <button type="button" className={classes.target}>
          <Person />
          <IconSelector size={15} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Appearance</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as MantineColorScheme)}>
          {SCHEMES.map(({ value, label, icon: Icon }) => (
            <Menu.RadioItem key={value} value={value} rightSection={<Icon size={15} aria-hidden />}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={15} aria-hidden />} disabled={leaving} onClick={() => void leave()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
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
