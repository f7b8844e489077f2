import { Drawer } from '@mantine/core';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.js';

/** The sidebar of small screens. */
export function NavigationDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Drawer.Root opened={opened} onClose={onClose} size={280}>
      <Drawer.Overlay backgroundOpacity={0.45} />
      <Drawer.Content aria-label="Navigation" className={classes.drawer}>
        <Drawer.Body className={classes.drawerBody}>
          <Sidebar onNavigate={onClose} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
