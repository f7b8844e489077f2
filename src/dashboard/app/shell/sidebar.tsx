import { NavLink } from 'react-router';
import { FirstStepsDock } from '../../overview/first-steps/dock.js';
import { useViewer } from '../../session/viewer.js';
import { AccountMenu } from './account-menu.js';
import { NAVIGATION } from '../navigation.js';
import { SearchButton } from './search-button.js';
import classes from './sidebar.module.css';

/**
 * Brand, navigation and the signed-in user. `onNavigate` closes the drawer of small screens, whose pages have the search and
 * the first steps on top.
 */
export function Sidebar({ onNavigate }: { onNavigate?: () => void }) {
  const { account } = useViewer();
  return (
    <div className={classes.sidebar}>
      <div className={classes.brand}>
        <img src="/pages/icon.svg" alt="" width={26} height={26} />
        <div className={classes.names}>
          <strong>Workflow Gateway</strong>
          <span title={account.name}>{account.name}</span>
        </div>
      </div>
      {onNavigate === undefined && <SearchButton />}
      <nav aria-label="Main" className={classes.navigation}>
        {NAVIGATION.map(({ title, items }) => (
          <div key={title ?? ''} className={classes.group}>
            {title !== undefined && <h2 className={classes.title}>{title}</h2>}
            <ul>
              {items.map(({ to, label, icon: Icon, isOutside, count: Count }) => (
                <li key={to}>
                  <NavLink
                    to={to}
                    end={to === '/'}
                    reloadDocument={isOutside}
                    className={classes.link}
                    onClick={onNavigate}
                  >
                    <Icon size={17} stroke={1.7} aria-hidden />
                    {label}
                    {Count !== undefined && <Count />}
                  </NavLink>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      {onNavigate === undefined && <FirstStepsDock />}
      <AccountMenu />
    </div>
  );
}
