import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { Link, Outlet, ScrollRestoration } from 'react-router';
import { usePalette } from '../commands/commands.js';
import { ConnectionBanner } from './connection-banner.js';
import { LiveIntegrations } from '../live-integrations.js';
import { atFirstUse } from '../../ui/at-first-use.js';
import { openHelp, useShownHelp } from '../../ui/help/open-help.js';
import { FirstStepsStrip } from '../../overview/first-steps/dock.js';
import { lazyDialog } from '../../ui/dialogs/lazy-dialog.js';
import { NavigationProgress } from './navigation-progress.js';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.js';
import { useFocusOnNavigation } from './use-focus-on-navigation.js';
import { IconMenu2, IconSearch } from '../../ui/icons/icons.js';

const guard = atFirstUse(() => import('../../ui/forms/back-guard.js'));
const BackGuard = lazy(async () => ({ default: (await guard.loaded).BackGuard }));
const HelpSheet = lazyDialog(async () => (await import('../../ui/help/help-sheet.js')).HelpSheet);
const NavigationDrawer = lazyDialog(async () => (await import('./navigation-drawer.js')).NavigationDrawer);

/** The frame of every page: sidebar (a drawer on small screens), connection banner, skip link and main area. */
export function Shell() {
  const [drawerOpen, drawer] = useDisclosure();
  const help = useShownHelp();
  const main = useFocusOnNavigation();
  const search = usePalette();
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
        <ActionIcon
          variant="subtle"
          color="gray"
          size={38}
          aria-label="Search"
          onClick={search}
          className={classes.find}
        >
          <IconSearch size={18} />
        </ActionIcon>
      </header>
      <NavigationDrawer opened={drawerOpen} onClose={drawer.close} />
      <HelpSheet topic={help} opened={help !== undefined} onClose={() => openHelp(undefined)} />
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <FirstStepsStrip />
        <ConnectionBanner />
        <div className={classes.page}>
          <Outlet />
        </div>
      </main>
      <ScrollRestoration />
      <Suspense>
        <BackGuard />
      </Suspense>
    </div>
  );
}
