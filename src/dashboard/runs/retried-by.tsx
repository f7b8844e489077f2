import { Link } from 'react-router';
import { useQuery } from 'urql';
import { StatusBadge } from '../ui/values/status-badge.js';
import classes from './run.module.css';
import { RetryOfRunDocument } from './run.generated.js';

/** The retry of a run, with its status: a failure may be settled. */
export function RetriedBy({ id }: { id: string }) {
  const [{ data }] = useQuery({ query: RetryOfRunDocument, variables: { id } });
  return (
    <span className={classes.retry}>
      <Link to={`/runs/${id}`}>{`run_…${id.slice(-8)}`}</Link>
      {data !== undefined && <StatusBadge status={data.run.status} />}
    </span>
  );
}
