import { Link } from 'react-router';
import { AppMark } from './app-mark.js';
import { categoryLabel } from './category-filter.js';
import { type CatalogTypeFragment } from '../catalog.generated.js';
import { IconChevronRight } from '../../ui/icons/icons.js';
import classes from './catalog.module.css';

/** An application of the catalog: how it connects, with a link to its page. */
export function CatalogCard({
  type: { type, name, category, auth, configured, events },
}: {
  type: CatalogTypeFragment;
}) {
  const by = auth === 'API_KEY' ? 'API key' : 'OAuth';
  return (
    <Link to={`/integrations/new/${type}`} className={classes.card} data-configured={configured}>
      <AppMark type={type} name={name} size={36} />
      <span className={classes.text}>
        <strong>{name}</strong>
        <span>
          {category !== null && `${categoryLabel(category)} · `}
          {by}
          {events.length > 0 && ` · ${events.length} ${events.length === 1 ? 'event' : 'events'}`}
        </span>
      </span>
      <IconChevronRight size={16} aria-hidden />
    </Link>
  );
}
