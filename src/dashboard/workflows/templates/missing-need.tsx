import { Link } from 'react-router';
import { Notice } from '../../ui/pages/notice.js';
import { type Need } from '../editor/draft-action.js';

/** Says which application has to be connected before a template can be used; `onLeave` closes the dialog around. */
export function MissingNeed({ need: { type, name }, onLeave }: { need: Need; onLeave: () => void }) {
  return (
    <Notice tone="warn">
      It starts with events of {name}.{' '}
      <Link to={`/integrations/new/${type}`} onClick={onLeave}>
        Connect {name}
      </Link>{' '}
      first.
    </Notice>
  );
}
