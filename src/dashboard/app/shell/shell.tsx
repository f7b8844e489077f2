import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMenu2 } from '@tabler/icons-react';
import { Link, Outlet, ScrollRestoration } from 'react-router';
import { ConnectionBanner } from './connection-banner.js';
import { LiveIntegrations } from '../live-integrations.js';
import { lazyDialog } from '../../ui/forms/lazy-dialog.js';
import { NavigationProgress } from './navigation-progress.js';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.js';
import { useFocusOnNavigation } from './use-focus-on-navigation.js';

const NavigationDrawer = lazyDialog(async () => (await import('./navigation-drawer.js')).NavigationDrawer);

/** The frame of every page: sidebar (a drawer on small screens), connection banner, skip link and main area. */
export function Shell() {
  const [drawerOpen, drawer] = useDisclosure();
  const main = useFocusOnNavigation();
  return (
    <div className={classes.shell}>
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      <NavigationProgress />
      <LiveIntegrations />
      <aside className={classes.side}>
        <Sidebar />
      </aside>
      <header className={classes.top}>
        <ActionIcon variant="subtle" color="gray" size={38} aria-label="Open navigation" onClick={drawer.open}>
          <IconMenu2 size={20} />
        </ActionIcon>
        <Link to="/" className={classes.home}>
          <img src="/pages/icon.svg" alt="" width={24} height={24} />
          Workflow Gateway
        </Link>
      </header>
      <NavigationDrawer opened={drawerOpen} onClose={drawer.close} />
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <ConnectionBanner />
        <div className={classes.page}>
          <Outlet />
        </div>
      </main>
      <ScrollRestoration />
    </div>
  );
}
