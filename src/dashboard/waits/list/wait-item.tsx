import { Link } from 'react-router';
import { type ApprovalDecision } from '../../graphql/enums.generated.js';
import { AppMark } from '../../integrations/catalog/app-mark.js';
import { useAppName, WaitTimes } from '../wait-words.js';
import { WaitAction } from '../wait-action.js';
import { type WaitInListFragment } from '../waits.generated.js';
import { IconPhoneIncoming, IconUserCheck } from '../../ui/icons/icons.js';
import classes from './waits.module.css';

/** One pending wait: for what, of which run, since and until when, and the action that ends it. */
export function WaitItem({ wait, onDecide }: WaitItemProps) {
  const { run, runId, step, text } = wait;
  return (
    <li className={classes.item}>
      <Mark wait={wait} />
      <div className={classes.words}>
        <h3 className={classes.title}>
          <Title wait={wait} />
        </h3>
        {text !== null && <p className={classes.text}>{text}</p>}
        <p className={classes.soft}>
          {run.workflow === null ? (
            'Deleted workflow'
          ) : (
            <Link to={`/workflows/${run.workflow.id}`}>{run.workflow.name}</Link>
          )}
          ,{' '}
          <Link to={`/runs/${runId}`}>
            {run.isTest ? 'test run' : 'run'} …{runId.slice(-8)}
          </Link>
          , step “{step}”, <WaitTimes wait={wait} />
        </p>
      </div>
      <div className={classes.action}>
        {wait.status === 'PENDING' && <WaitAction wait={wait} onDecide={onDecide} />}
      </div>
    </li>
  );
}

function Mark({ wait: { kind, integrationType } }: Pick<WaitItemProps, 'wait'>) {
  const app = useAppName(integrationType);
  if (kind === 'CONNECTION') return <AppMark type={integrationType ?? ''} name={app} />;
  const Icon = kind === 'APPROVAL' ? IconUserCheck : IconPhoneIncoming;
  return (
    <span className={classes.mark}>
      <Icon size={18} stroke={1.7} aria-hidden />
    </span>
  );
}

function Title({ wait: { kind, title, integrationType, reference, step } }: Pick<WaitItemProps, 'wait'>) {
  const app = useAppName(integrationType);
  if (kind === 'CONNECTION') return <>{`${app} of ${reference}`}</>;
  return <>{kind === 'APPROVAL' ? title : step}</>;
}

/** `onDecide` asks for a comment and decides. */
export interface WaitItemProps {
  wait: WaitInListFragment;
  onDecide: (decision: ApprovalDecision) => void;
}
